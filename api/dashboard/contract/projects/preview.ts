/** A look at a site before a project is created: the dashboard's contract. */
import { type Static, Type } from '@sinclair/typebox';
import { nullable } from '../common.ts';
import { BasePath, Branch, Folder, Kind, Site, SiteUrl } from './projects.ts';
import { Source } from './source.ts';

/** What to look at before a project is created; members as those of `NewProject`. */
export const PreviewRequest = Type.Object({
  /** Left out: one is proposed. */
  name: Type.Optional(Type.String({ maxLength: 100 })),
  source: Source,
  baseRef: Type.Optional(Branch),
  docsFolder: Type.Optional(Folder),
  siteKind: Type.Optional(Kind),
  siteUrl: Type.Optional(SiteUrl),
  basePath: Type.Optional(BasePath),
});
export type PreviewRequest = Static<typeof PreviewRequest>;

export const ProjectPreview = Type.Object({
  site: Site,
  name: nullable(Type.String({ description: 'Proposed by the source; null: it has none.' })),
  domain: nullable(Type.String({ description: 'Proposed by the name, and not taken.' })),
});
export type ProjectPreview = Static<typeof ProjectPreview>;
