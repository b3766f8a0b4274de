import { below, decoded } from '../kinds/paths.ts';
import { firstTitle } from '../outline/page-outline.ts';
import type { Site, SitePage, SiteSource } from '../kinds/site-kind.ts';
import { addressBy, type AddressRule } from './address-rule.ts';
import { type Candidate, Claims } from './claims.ts';
import { learnRule } from './learn-rule.ts';
import { addressKey, type PlacedPage, seenPages, type SeenSite } from './seen-page.ts';
import { type Addresses, membersOf, pathOf } from './with-addresses.ts';

/** A page whose rule and whose site disagree. */
export interface ElsewherePage {
  file: string;
  ours: string;
  url: string;
}

/** A site as its files say it, beside what is published. */
export interface SiteComparison {
  addresses: Addresses;
  /** Pages of the site. */
  pages: number;
  /** Pages whose address is the one of the rule. */
  right: number;
  elsewhere: ElsewherePage[];
  /** Files of folders that the site publishes nothing of, which may be parts of pages. */
  unpublished: ReadonlySet<string>;
  /** Addresses that nothing in the repository explains. */
  withoutFile: string[];
  /** Pages in formats that are not read, and where the text of each is. */
  others: { page: SitePage; seen: PlacedPage }[];
  /** Paths from the top of the host, of pages whose titles, or whose texts, must be read to know more. */
  wanted: string[];
}

/** A learned rule must explain so much of what it was not learned from. */
const GOOD_RULE = 0.5;
/** Formats of pages that are not read: what their site publishes is. */
export const OTHER_FORMATS = /\.(?:rst|adoc|asciidoc|ipynb|qmd|rmd)$/i;
/** A folder of fewer pages may be new. */
const FEWEST_IN_FOLDER = 5;
const MOST_WANTED = 2_000;
/** Pages that are read for their title only. */
const MOST_TITLES = 200;

/**
 * Compares each page's address with those that the published site was seen to have. If they
 * disagree, a page is found by the rule that explains the others, or by its title.
 */
export function compareSite(
  source: SiteSource,
  site: Site,
  isPlain: boolean,
  seen: SeenSite,
): SiteComparison {
  const all = seenPages(seen, site);
  const keys = new Set(all.map(({ path }) => addressKey(path)));
  const candidates = candidatesOf(source, site);
  const learned = learnedRule(source, candidates, all, keys);
  const isSeen = ({ page, isOther }: Candidate) => !isOther && keys.has(addressKey(page.url));
  const own = candidates.filter(isSeen).length;
  const rule = learned && isPlain && learned.right > own ? learned.rule : null;
  const claimed = new Claims(all);
  for (const one of candidates) {
    const ruled = rule
      ? addressBy(rule, one.page.file, membersOf(source, one.page.file))
      : undefined;
    one.url = ruled ?? one.page.url;
  }
  const rest = rule
    ? claimed.byRule(candidates, rule, source, true)
    : candidates.filter(one => !claimed.exact(one));
  const byEnding = rest.filter(one => !claimed.loose(one));
  const byRule = learned ? claimed.byRule(byEnding, learned.rule, source) : byEnding;
  claimed.byTitle(byRule.map(one => titled(source, one)));
  return resultOf(site, candidates, claimed, { rule, isList: seen.isList });
}

/** The site's pages, one for each path, and files of the docs folder in other formats. */
function candidatesOf(source: SiteSource, site: Site): Candidate[] {
  const pages = new Map<string, SitePage>();
  for (const page of site.pages)
    if (!page.draft && !pages.has(page.path)) pages.set(page.path, page);
  const known = new Set([...site.pages.map(({ file }) => file), ...site.excluded]);
  const others = source.paths.filter(
    file =>
      OTHER_FORMATS.test(file) && !known.has(file) && below(site.docsFolder, file) !== undefined,
  );
  const candidate = (page: SitePage): Candidate => ({
    page,
    isOther: OTHER_FORMATS.test(page.file),
    url: page.url,
    title: null,
  });
  return [...[...pages.values()].map(candidate), ...others.map(file => candidate(otherPage(file)))];
}

/** No address is known yet. */
function otherPage(file: string): SitePage {
  return {
    ...{ file, path: '', url: '', language: null, version: null, inNavigation: false },
    ...{ title: null, crumbs: [], draft: false },
  };
}

function learnedRule(
  source: SiteSource,
  candidates: readonly Candidate[],
  all: readonly PlacedPage[],
  keys: ReadonlySet<string>,
) {
  const files = candidates.map(({ page }) => page.file);
  const members = new Map<string, Record<string, unknown>>();
  const read = (file: string) => {
    const known = members.get(file) ?? (OTHER_FORMATS.test(file) ? {} : membersOf(source, file));
    members.set(file, known);
    return known;
  };
  const learned = learnRule(
    files,
    all.map(({ path }) => path),
    read,
  );
  if (!learned || learned.score < GOOD_RULE) return undefined;
  const { rule } = learned;
  const found = files.map(file => addressKey(addressBy(rule, file, read(file)) ?? '\0'));
  return { rule, right: new Set(found.filter(key => keys.has(key))).size };
}

function titled(source: SiteSource, one: Candidate): Candidate {
  if (one.isOther) return one;
  const { title } = membersOf(source, one.page.file);
  const written = typeof title === 'string' ? title : firstTitle(source.outline(one.page.file));
  return { ...one, title: written ?? one.page.title };
}

/** Of a site that lists most of its pages, those of folders of which it lists none. */
function unpublishedOf(
  pages: readonly Candidate[],
  seen: ReadonlyMap<string, unknown>,
): ReadonlySet<string> {
  const files = pages.map(({ page }) => page.file);
  const isListed = (file: string) => seen.has(file);
  if (files.filter(isListed).length < files.length * GOOD_RULE) return new Set();
  const folders = new Map<string, { all: number; listed: number }>();
  for (const file of files)
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const count = folders.get(file.slice(0, at)) ?? { all: 0, listed: 0 };
      folders.set(file.slice(0, at), count);
      count.all += 1;
      if (isListed(file)) count.listed += 1;
    }
  const none = [...folders].filter(
    ([, { all, listed }]) => listed === 0 && all >= FEWEST_IN_FOLDER,
  );
  return new Set(files.filter(file => none.some(([folder]) => below(folder, file) !== undefined)));
}

/** No page, route or file of the repository answers at this path. */
function isNowhere(site: Site, path: string): boolean {
  return ['missing', 'unchecked'].includes(site.resolve(path, '').kind);
}

function resultOf(
  site: Site,
  candidates: readonly Candidate[],
  { byFile, right, free }: Claims,
  { rule, isList }: { rule: AddressRule | null; isList: boolean },
): SiteComparison {
  const files: Record<string, string> = {};
  const elsewhere: ElsewherePage[] = [];
  const others: SiteComparison['others'] = [];
  const texts: string[] = [];
  const taken = new Set([...byFile.values()].map(({ path }) => addressKey(path)));
  for (const { page, url, isOther } of candidates) {
    const seen = byFile.get(page.file);
    // Another page is at the address that the learned rule gives it.
    if (!seen && rule && !isOther && taken.has(addressKey(url))) files[page.file] = page.url;
    if (!seen) continue;
    if (isOther) {
      others.push({
        page: { ...page, url: decoded(seen.path), path: pathOf(site, seen.path) },
        seen,
      });
      if (seen.digest === null) texts.push(seen.at);
    }
    if (right.has(page.file)) continue;
    // As files have it: a link's maker escapes it.
    files[page.file] = decoded(seen.path);
    if (!isOther) elsewhere.push({ file: page.file, ours: url, url: seen.path });
  }
  const pages = candidates.filter(({ isOther }) => !isOther);
  const isOpen = pages.some(({ page }) => !byFile.has(page.file));
  const withoutFile = free.filter(({ path }) => isNowhere(site, path));
  const titles = isOpen ? withoutFile.filter(({ title }) => title === null) : [];
  return {
    addresses: { rule, files, readAtSite: others.length },
    pages: pages.length,
    right: pages.filter(({ page }) => right.has(page.file)).length,
    elsewhere,
    unpublished: isList ? unpublishedOf(pages, byFile) : new Set(),
    withoutFile: withoutFile.map(({ path }) => path),
    others,
    wanted: [...texts, ...titles.slice(0, MOST_TITLES).map(({ at }) => at)].slice(0, MOST_WANTED),
  };
}
