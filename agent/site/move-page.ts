import type { OutlineLink } from '../../sites/outline/page-outline.ts';
import type { SiteKind } from '../../sites/kinds/kind.ts';
import { overlaid } from '../../sites/kinds/overlay.ts';
import { isExternal } from '../../sites/kinds/paths.ts';
import type { NavigationChange, NavigationEdit } from '../navigation/navigation-edit.ts';
import { NAVIGATION } from '../navigation/registry.ts';
import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';
import { type WantedSite, type ProjectSite, projectSite } from '../../sites/project-site.ts';
import { type Inbound, inboundLinks, linksOf } from './inbound-links.ts';
import type { OwnLink } from './own-links.ts';
import { relinkPage } from './relink.ts';

/** What a move or a deletion comes to. */
export interface PageMove {
  /** New texts; null takes a file away. */
  texts: Map<string, string | null>;
  links: { updated: { path: string; links: number }[]; left: string[] };
  navigation: { files: string[]; done: string[]; left: string[] };
  /** As the site publishes the page; null if it does not. */
  oldAddress: string | null;
  newAddress: string | null;
}

export type PageMoveAnswer = PageMove | { refused: string };

/** A project's site as it is before the edit. */
interface SiteToEdit extends ProjectSite {
  source: SiteSource;
}

interface PageToMove {
  from: string;
  to: string;
  /** New imports are allowed, so that those of other pages can be changed. */
  allowImports: boolean;
}

const MAX_PLACES = 10;

/** Moves a page with its entries, the redirects and every link to it and on it. */
export function movePage(
  { kind, source, site }: SiteToEdit,
  project: WantedSite,
  { from, to, allowImports }: PageToMove,
): PageMoveAnswer {
  const inbound = inboundLinks(source, site, kind, from);
  const imported = allowImports ? undefined : importRefusal(inbound, from);
  if (imported !== undefined) return { refused: imported };
  const text = source.read(from) ?? '';
  const moved = new Map<string, string | null>([
    [from, null],
    [to, text],
  ]);
  const oldAddress = addressOf(site, from);
  const placed = projectSite(overlaid(source, moved), project).site;
  const newPath = placed.pages.find(page => page.file === to)?.path ?? null;
  const oldPath = site.pages.find(page => page.file === from)?.path;
  // Many servers match addresses in any letter case: from one to the other would never end.
  const redirect = oldPath !== undefined && newPath?.toLowerCase() !== oldPath.toLowerCase();
  const edit: NavigationEdit = { kind: 'move-page', from, to, newPath, redirect };
  const change = withoutRefusal(NAVIGATION[kind.name].edit(source, site, edit));
  const texts = new Map<string, string | null>([...moved, ...change.files]);
  const after =
    change.files.size === 0 ? placed : projectSite(overlaid(source, texts), project).site;
  const links = relinkAll(source, { before: site, after, kind, inbound }, texts, { from, to });
  const files = [...NAVIGATION[kind.name].describe(source, site).files, ...site.configFiles];
  return {
    texts,
    links,
    navigation: { files, done: change.done, left: change.left },
    oldAddress,
    newAddress: addressOf(after, to),
  };
}

/** Deletes a page with its entries; links to it lead to `redirectTo`, or are named. */
export function deletePage(
  { kind, source, site }: SiteToEdit,
  project: WantedSite,
  { file, redirectTo }: { file: string; redirectTo: string | undefined },
): PageMove {
  const inbound = inboundLinks(source, site, kind, file);
  const edit: NavigationEdit = {
    kind: 'remove-page',
    file,
    ...(redirectTo !== undefined && { redirectTo }),
  };
  const change = withoutRefusal(NAVIGATION[kind.name].edit(source, site, edit));
  const texts = new Map<string, string | null>([...change.files, [file, null]]);
  const after = projectSite(overlaid(source, texts), project).site;
  const links =
    redirectTo === undefined
      ? { updated: [], left: remainingLinks(inbound, texts) }
      : relinkAll(source, { before: site, after, kind, inbound }, texts, {
          from: file,
          to: redirectTo,
        });
  const files = [...NAVIGATION[kind.name].describe(source, site).files, ...site.configFiles];
  return {
    texts,
    links,
    navigation: { files, done: change.done, left: change.left },
    oldAddress: addressOf(site, file),
    newAddress: null,
  };
}

function withoutRefusal(change: NavigationChange) {
  return 'refused' in change
    ? { files: new Map<string, string>(), done: [], left: [change.refused] }
    : change;
}

function addressOf(site: Site, file: string): string | null {
  return site.pages.find(page => page.file === file)?.url ?? null;
}

/** Puts the new texts of all pages with such links into `texts`. */
function relinkAll(
  source: SiteSource,
  { before, after, kind, inbound }: { before: Site; after: Site; kind: SiteKind; inbound: Inbound },
  texts: Map<string, string | null>,
  { from, to }: { from: string; to: string },
): PageMove['links'] {
  const result: PageMove['links'] = { updated: [], left: [] };
  const relinking = {
    before,
    after,
    syntaxes: kind.links ?? [],
    target: (file: string) => (file === from ? to : undefined),
    has: source.has,
  };
  for (const [file, links] of inbound) {
    const old = source.read(file) ?? '';
    const text = texts.get(file) ?? old;
    const own = links.filter(link => !isIncluded(link));
    const page = {
      from: file,
      to: file,
      outlined: linksOf(source, before, file).filter(link => !isIncluded(link)),
      // Its lines are those of the outline.
      ...(text === old && { inbound: own }),
    };
    const relinked = relinkPage(text, page, relinking);
    if (relinked.links > 0) {
      texts.set(file, relinked.text);
      result.updated.push({ path: file, links: relinked.links });
    }
    result.left.push(
      ...relinked.left.map(line => `${file}:${line}`),
      ...links.filter(isIncluded).map(link => placeOf(link, file)),
    );
  }
  const own = isExternal(to) || texts.get(from) !== null || !texts.has(to) ? null : texts.get(to);
  if (own === null || own === undefined) return result;
  const relinked = relinkPage(
    own,
    { from, to, outlined: linksOf(source, before, from).filter(link => !isIncluded(link)) },
    relinking,
  );
  texts.set(to, relinked.text);
  for (const line of relinked.left)
    result.left.push(`${to}:${line} has a relative link, which still starts from ${from}`);
  return result;
}

function remainingLinks(inbound: Inbound, texts: ReadonlyMap<string, string | null>): string[] {
  return [...inbound].flatMap(([path, links]) =>
    links
      // A list of pages may have lost the entry that was the link.
      .filter(link => isIncluded(link) || texts.get(path)?.includes(link.url) !== false)
      .map(link => `${placeOf(link, path)} links to it (${link.url})`),
  );
}

/** The file that has a link, if the page includes that. */
function fileWith(link: OutlineLink | OwnLink): string | undefined {
  return 'file' in link ? link.file : undefined;
}

function isIncluded(link: OutlineLink | OwnLink): boolean {
  return fileWith(link) !== undefined;
}

function placeOf(link: OutlineLink | OwnLink, page: string): string {
  return `${fileWith(link) ?? page}:${link.line}`;
}

/** The policy knows an import and an inclusion by its file: with another one it is new. */
function importRefusal(inbound: Inbound, from: string): string | undefined {
  const places = [...inbound].flatMap(([path, links]) =>
    links
      .filter(({ kind }) => kind === 'import' || kind === 'include')
      .map(({ line }) => `${path}:${line}`),
  );
  if (places.length === 0) return undefined;
  return (
    `${from} is imported by other pages (${places.slice(0, MAX_PLACES).join(', ')}), ` +
    'and this project allows no new imports, so it has to stay where it is.'
  );
}
