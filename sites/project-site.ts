import { findSites, isAside, siteKind as kindNamed } from './kinds/registry.ts';
import { withBase } from './kinds/paths.ts';
import type { SiteKind } from './kinds/kind.ts';
import type { FoundSite, Site, SiteKindName, SiteSource } from './kinds/site-kind.ts';
import { navigationFile } from './navigation.ts';
import { withApiPages } from './openapi/api-pages.ts';

/** Which site of a repository. */
export interface WantedSite {
  /** '' is the repository's root; no slash at either end. Undefined: found. */
  docsFolder?: string | undefined;
  /** Null: found. */
  kind?: SiteKindName | null | undefined;
  /** Null: as the site's configuration says. */
  basePath?: string | null | undefined;
}

/** The site of a project, whose folder is known. */
export interface ProjectFolder extends WantedSite {
  docsFolder: string;
}

export function projectFolder(project: {
  docsFolder: string;
  siteKind: SiteKindName | null;
  basePath: string | null;
}): ProjectFolder {
  const { docsFolder, siteKind, basePath } = project;
  return { docsFolder, kind: siteKind, basePath };
}

export interface ProjectSite {
  kind: SiteKind;
  site: Site;
}

/**
 * The site that is wanted: the index, the agent and the checks all read this one. Where docs.json is
 * the navigation, or a plain folder is wanted, no generator is looked for.
 */
export function projectSite(source: SiteSource, wanted: WantedSite): ProjectSite {
  const { kind, site } = selected(source, wanted);
  const { basePath } = wanted;
  const based = basePath == null ? site : withBasePath(site, basePath);
  return { kind, site: withApiPages(source, based) };
}

function selected(source: SiteSource, { kind, docsFolder }: WantedSite): ProjectSite {
  return (
    plainSite(source, kind, docsFolder) ??
    generatedSite(source, kind, docsFolder) ??
    folderSite(source, docsFolder ?? '')
  );
}

function plainSite(
  source: SiteSource,
  kind: WantedSite['kind'],
  folder: string | undefined,
): ProjectSite | undefined {
  if (folder === undefined || (kind && kind !== 'docs.json' && kind !== 'folder')) return undefined;
  if (kind === 'folder') return folderSite(source, folder);
  const marker = navigationFile(path => source.has(path), folder);
  return marker === undefined
    ? undefined
    : read(source, { kind: 'docs.json', root: folder, marker });
}

function folderSite(source: SiteSource, root: string): ProjectSite {
  return read(source, { kind: 'folder', root, marker: root });
}

function generatedSite(
  source: SiteSource,
  kind: WantedSite['kind'],
  docsFolder: string | undefined,
): ProjectSite | undefined {
  for (const found of findSites(source)) {
    if (kind && found.kind !== kind) continue;
    if (!kind && !docsFolder && isAside(found)) continue;
    // A plain folder is the one that is wanted, wherever one would be guessed.
    if (found.kind === 'folder' && docsFolder !== undefined) continue;
    const one = read(source, found);
    if (docsFolder === undefined || isAround(one.site, docsFolder)) return one;
  }
  return undefined;
}

function read(source: SiteSource, found: FoundSite): ProjectSite {
  const kind = kindNamed(found.kind);
  return { kind, site: kind.read(source, found) };
}

/** Whether the site's pages are those of the folder: it contains them, or is a part of them. */
function isAround({ docsFolder }: Site, folder: string): boolean {
  return isWithin(docsFolder, folder) || isWithin(folder, docsFolder);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The site with another base path than its configuration says. */
function withBasePath(site: Site, basePath: string): Site {
  if (basePath === site.basePath) return site;
  const prefix = site.basePath === '/' ? '' : site.basePath;
  const moved = (url: string) =>
    url.startsWith(prefix) ? withBase(basePath, url.slice(prefix.length) || '/') : url;
  const pages = new Map(
    site.pages.map(page => [page.file, { ...page, url: moved(page.url) }] as const),
  );
  return {
    ...site,
    basePath,
    pages: [...pages.values()],
    resolve(url, file) {
      const target = site.resolve(url, file);
      const isBased = basePath !== '/' && (url === basePath || url.startsWith(`${basePath}/`));
      const found =
        target.kind === 'missing' && isBased
          ? site.resolve(url.slice(basePath.length) || '/', file)
          : target;
      return found.kind === 'page'
        ? { ...found, page: pages.get(found.page.file) ?? found.page }
        : found;
    },
  };
}
