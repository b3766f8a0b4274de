import type { SitePage } from '../../sites/kinds/site-kind.ts';

type Page = Pick<SitePage, 'path' | 'language' | 'version'>;

/** Limits of what the search index keeps of a page. */
const MOST_LANGUAGES = 40;
const LONGEST_TAG = 12;
/** Of a version's pages, the share that must exist in another one to say which is the older. */
const ALIKE = 0.2;
/** Segments at the beginning of a path in which a version can stand. */
const VERSION_DEPTH = 3;

/**
 * The language without a folder of its own, else that of most pages; null unless there are
 * several.
 */
export function defaultLanguage(pages: readonly Page[]): string | null {
  const counts = new Map<string, { plain: number; all: number }>();
  for (const page of pages) {
    if (page.language === null) continue;
    const count = counts.get(page.language) ?? { plain: 0, all: 0 };
    count.all += 1;
    if (inAnyLanguage(page) === page.path) count.plain += 1;
    counts.set(page.language, count);
  }
  if (counts.size < 2) return null;
  const [first] = [...counts].toSorted(([, a], [, b]) => b.plain - a.plain || b.all - a.all);
  return first?.[0] ?? null;
}

/** For each page of a site in several languages: the other languages that have it. */
export function translations(pages: readonly Page[]): Map<Page, string[]> {
  const groups = new Map<string, Set<string>>();
  for (const page of pages) {
    if (page.language === null || page.language.length > LONGEST_TAG) continue;
    const path = inAnyLanguage(page);
    groups.set(path, (groups.get(path) ?? new Set()).add(page.language));
  }
  return new Map(
    pages.map(page => [
      page,
      [...(groups.get(inAnyLanguage(page)) ?? [])]
        .filter(language => language !== page.language)
        .slice(0, MOST_LANGUAGES),
    ]),
  );
}

/** The path without the segment that names the page's language: `/zh/a` of `zh-CN` is `/a`. */
export function inAnyLanguage({ path, language }: Page): string {
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
  const primary = (tag: string) => tag.toLowerCase().split(/[-_]/)[0];
  const names = language !== null && /^[a-z]{2,3}(?:[-_]\w+)?$/i.test(first);
  return names && primary(first) === primary(language) ? rest || '/' : path;
}

/**
 * Versions whose pages another one has as well: `/1.0/a` beside `/a`, or `/v1/a` beside `/v2/a`,
 * of which the highest version is the one that readers are led to.
 */
export function oldVersions(pages: readonly Page[]): Set<string> {
  const named = pages.filter(({ version }) => version !== null);
  const paths = versionsBy(pages, ({ path }) => [path]);
  const below = versionsBy(named, ({ path }) => withoutVersion(path));
  const shares = new Map<string, { all: number; older: number; peer: number }>();
  for (const page of named) {
    const share = shares.get(page.version!) ?? { all: 0, older: 0, peer: 0 };
    shares.set(page.version!, share);
    share.all += 1;
    if (shorter(page.path).some(path => hasOther(paths.get(path), page.version))) share.older += 1;
    if (withoutVersion(page.path).some(path => hasOther(below.get(path), page.version)))
      share.peer += 1;
  }
  const alike = (of: 'older' | 'peer') =>
    [...shares].filter(([, one]) => one[of] > 0 && one[of] >= one.all * ALIKE).map(([v]) => v);
  const old = new Set(alike('older'));
  const [, ...others] = alike('peer')
    .filter(version => !old.has(version))
    .toSorted((a, b) => compareVersions(b, a));
  return new Set([...old, ...others]);
}

export function isOld(old: ReadonlySet<string>, { version }: Page): boolean {
  return version !== null && old.has(version);
}

function versionsBy(
  pages: readonly Page[],
  keysOf: (page: Page) => string[],
): Map<string, Set<string | null>> {
  const found = new Map<string, Set<string | null>>();
  for (const page of pages)
    for (const key of keysOf(page)) found.set(key, (found.get(key) ?? new Set()).add(page.version));
  return found;
}

function hasOther(versions: ReadonlySet<string | null> | undefined, own: string | null): boolean {
  return (
    versions !== undefined && [...versions].some(version => version !== own && version !== null)
  );
}

/** The path without its first, second or third segment. */
function shorter(path: string): string[] {
  const segments = path.slice(1).split('/');
  return segments
    .slice(0, VERSION_DEPTH)
    .map((_, i) => `/${segments.filter((_segment, at) => at !== i).join('/')}`);
}

const VERSION_SEGMENT =
  /^(?:v|version-)?\d|^(?:latest|stable|current|next|main|master|dev|nightly)$/i;

/** The path without a segment that names a version, if one of the first three does. */
export function withoutVersion(path: string): string[] {
  const segments = path.slice(1).split('/');
  return shorter(path).filter((_, i) => VERSION_SEGMENT.test(segments[i] ?? ''));
}

const NEWEST = /^(?:latest|stable|current)$/i;
const UNRELEASED = /next|main|master|dev|nightly|unreleased|canary|alpha|beta|rc|preview/i;

function compareVersions(a: string, b: string): number {
  const rank = (version: string) => (NEWEST.test(version) ? 2 : UNRELEASED.test(version) ? 0 : 1);
  return rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true });
}
