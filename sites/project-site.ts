import { withBase } from './kinds/paths.ts';
import { type Addresses, withAddresses } from './published/with-addresses.ts';
import {
  FALLBACK,
  findSites,
  isAside,
  KINDS,
  type KnownKind,
  type KnownSite,
  siteKind as kindNamed,
  type SiteKindName,
  withApiReferences,
} from './kinds/registry.ts';
import type { Site, SitePlace, SiteSource } from './kinds/site-kind.ts';

/** Which site of a repository. */
export interface WantedSite {
  /** '' is the repository's root; no slash at either end. Undefined: found. */
  docsFolder?: string | undefined;
  /** Null: found. */
  kind?: SiteKindName | null | undefined;
  /** Null: as the site's configuration says. */
  basePath?: string | null | undefined;
  /** That the published site was seen to have. */
  addresses?: Addresses | null | undefined;
}

/** The site of a project, whose folder is known. */
export interface ProjectFolder extends WantedSite {
  docsFolder: string;
}

export function projectFolder(project: {
  docsFolder: string;
  siteKind: SiteKindName | null;
  basePath: string | null;
  addresses: Addresses | null;
}): ProjectFolder {
  const { docsFolder, siteKind, basePath, addresses } = project;
  return { docsFolder, kind: siteKind, basePath, addresses };
}

export interface ProjectSite {
  kind: KnownKind;
  site: KnownSite;
}

/**
 * The site that is wanted: the index, the agent and the checks all read this one. If a plain kind
 * is wanted, or knows the folder, no generator is looked for.
 */
export function projectSite(source: SiteSource, wanted: WantedSite): ProjectSite {
  const { kind, site } = selected(source, wanted);
  const { basePath } = wanted;
  const based = basePath == null ? site : withBasePath(site, basePath);
  const whole = withApiReferences(source, kind, based);
  const { addresses } = wanted;
  return { kind, site: addresses ? withAddresses(source, whole, addresses) : whole };
}

function selected(source: SiteSource, { kind, docsFolder }: WantedSite): ProjectSite {
  return (
    plainSite(source, kind, docsFolder) ??
    generatedSite(source, kind, docsFolder) ??
    read(source, FALLBACK, { root: docsFolder ?? '', marker: docsFolder ?? '' })
  );
}

function plainSite(
  source: SiteSource,
  kind: WantedSite['kind'],
  folder: string | undefined,
): ProjectSite | undefined {
  if (folder === undefined) return undefined;
  for (const one of kind ? [kindNamed(kind)] : KINDS.filter(known => known !== FALLBACK)) {
    const place = one.inFolder?.(source, folder);
    if (place) return read(source, one, place);
  }
  return undefined;
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
    const known = kindNamed(found.kind);
    if (known === FALLBACK && docsFolder !== undefined) continue;
    const one = read(source, known, found);
    if (docsFolder === undefined || isAround(one.site, docsFolder)) return one;
  }
  return undefined;
}

function read(source: SiteSource, kind: KnownKind, place: SitePlace): ProjectSite {
  return { kind, site: { kind: kind.name, ...kind.read(source, place) } };
}

/** Whether the site's pages are those of the folder: it contains them, or is a part of them. */
function isAround({ docsFolder }: Site, folder: string): boolean {
  return isWithin(docsFolder, folder) || isWithin(folder, docsFolder);
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** The site with another base path than its configuration says. */
function withBasePath(site: KnownSite, basePath: string): KnownSite {
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
