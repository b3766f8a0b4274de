import type { Project } from '../../../../api/dashboard/contract/projects/projects.ts';

type SiteKind = NonNullable<Project['siteKind']>;

/** The kinds that can be chosen, as people name them. */
export const SITE_KIND_TITLES: Record<SiteKind, string> = {
  'docs.json': 'docs.json',
  docusaurus: 'Docusaurus',
  mkdocs: 'MkDocs',
  vitepress: 'VitePress',
  starlight: 'Starlight',
  mdbook: 'mdBook',
  hugo: 'Hugo',
  sphinx: 'Sphinx (Markdown)',
  folder: 'Plain folder',
};

/** The kind that a field names; undefined: it is to be detected. */
export function siteKindIn(value: string): SiteKind | undefined {
  return Object.hasOwn(SITE_KIND_TITLES, value) ? (value as SiteKind) : undefined;
}
