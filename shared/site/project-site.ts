import { isAside, KINDS, findSites } from './kinds/registry.ts';
import type { SiteKind } from './kinds/kind.ts';
import type { FoundSite, Site, SiteKindName, SiteSource } from './kinds/site-kind.ts';
import { navigationFile } from './navigation.ts';

/** What a project says of its site. */
export interface ProjectFolder {
  /** '' is the repository's root; no slash at either end. */
  docsFolder: string;
  /** Null: found. */
  kind: SiteKindName | null;
}

export interface ProjectSite {
  kind: SiteKind;
  site: Site;
}

/**
 * The site whose pages are in the project's docs folder. A docs.json site and a plain folder are read
 * from the folder as it is; what another generator builds, from where its configuration is.
 */
export function projectSite(source: SiteSource, project: ProjectFolder): ProjectSite {
  const { docsFolder, kind } = project;
  const navigation = navigationFile(path => source.has(path), docsFolder);
  const isPlain = kind === 'docs.json' || kind === 'folder' || (!kind && navigation !== undefined);
  const generated = isPlain ? undefined : generatedSite(source, project);
  if (generated) return generated;
  const name = navigation === undefined ? 'folder' : 'docs.json';
  return read(source, { kind: name, root: docsFolder, marker: navigation ?? docsFolder });
}

function generatedSite(source: SiteSource, project: ProjectFolder): ProjectSite | undefined {
  for (const found of findSites(source)) {
    if (found.kind === 'folder' || found.kind === 'docs.json') continue;
    if (project.kind && found.kind !== project.kind) continue;
    if (!project.kind && project.docsFolder === '' && isAside(found)) continue;
    const one = read(source, found);
    if (isAround(one.site, project.docsFolder)) return one;
  }
  return undefined;
}

function read(source: SiteSource, found: FoundSite): ProjectSite {
  const kind = KINDS.find(one => one.name === found.kind);
  if (!kind) throw new Error(`no site kind ${found.kind}`);
  return { kind, site: kind.read(source, found) };
}

/** Whether the site's pages are those of the folder: it holds them, or is a part of them. */
function isAround({ docsFolder }: Site, folder: string): boolean {
  return isWithin(docsFolder, folder) || isWithin(folder, docsFolder);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
