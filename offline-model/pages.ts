import type { Desk, Work } from './desk.ts';
import type { Operand } from './operands.ts';

/** A page that an instruction names, or the sentence that says why there is none. */
export type Found = { path: string; reason?: never } | { path?: never; reason: string };

/**
 * Finds the page that `docs/install.md`, `/install`, `install.md`, `install` or `the install page`
 * means.
 */
export function* findPage(desk: Desk, page: Operand): Work<Found> {
  const pages = yield* desk.pages();
  const home = /^(?:index|home|homepage|landing|front)$/i.test(page.text)
    ? pages.filter(
        path => stem(path.slice(desk.root ? desk.root.length + 1 : 0)).toLowerCase() === 'index',
      )
    : [];
  const candidates = home.length === 1 ? home : byPath(page.text, pages);
  const found = candidates.length > 0 ? candidates : best(page.text, pages, yield* titles(desk));
  if (found.length === 1) return { path: found[0] as string };
  if (found.length === 0) return { reason: `I found no page "${page.text}".` };
  return {
    reason: `"${page.text}" could be ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}; name one of them.`,
  };
}

/**
 * The pages that a place means: a folder's, a page, or those whose path or title has the topic's
 * words.
 */
export function* placePages(desk: Desk, place: Operand): Work<string[]> {
  const pages = yield* desk.pages();
  const folder = place.text.replace(/^\.?\//, '').replace(/\/$/, '');
  const inside = pages.filter(path => `/${path}`.includes(`/${folder}/`));
  const exact = byPath(place.text, pages);
  if (exact.length > 0) return exact;
  if (inside.length > 0 && !/\s/.test(folder)) return inside;
  const whole = best(place.text, pages, yield* titles(desk));
  const parts = place.text.split(/\s*,\s*(?:and\s+)?|\s+and\s+/).filter(Boolean);
  if (whole.length > 0 || parts.length < 2) return whole;
  const each: string[][] = [];
  for (const text of parts) each.push(yield* placePages(desk, { ...place, text }));
  return each.every(found => found.length > 0) ? [...new Set(each.flat())] : [];
}

/**
 * Pages whose path is the given one, with or without docs folder and ending; an index page stands
 * for its folder.
 */
function byPath(text: string, pages: string[]): string[] {
  const given = text
    .replace(/#.*$/, '')
    .replace(/^\.?\//, '')
    .replace(/\/$/, '');
  const wanted = stem(given);
  if (/\s/.test(wanted) || wanted === '') return [];
  const equal = pages.filter(path => stem(path) === wanted);
  if (equal.length > 0) return equal;
  return pages.filter(
    path =>
      `/${stem(path)}`.toLowerCase().endsWith(`/${wanted.toLowerCase()}`) ||
      `/${path}`.toLowerCase().endsWith(`/${given.toLowerCase()}`),
  );
}

function stem(path: string): string {
  return path.replace(/\.mdx?$/i, '').replace(/(?<=[^/])\/(?:index|readme)$/i, '');
}

/**
 * Title or first heading of each page that has one, as they were when they were first asked for.
 */
function* titles(desk: Desk): Work<Map<string, string>> {
  if (desk.titles) return desk.titles;
  const found = new Map<string, string>();
  for (const hit of yield* search(desk, '^(?:title:|# )\\s*\\S', false, '**/*.{md,mdx}')) {
    if (!found.has(hit.path))
      found.set(
        hit.path,
        hit.text
          .replace(/^(?:title:|#)\s*/, '')
          .replace(/^(["'])(.*)\1$/, '$2')
          .replace(/\s*\(.*$/, ''),
      );
  }
  desk.titles = found;
  return found;
}

/**
 * The pages that a topic's words fit best: all its words in path or title, with the fewest other
 * words there.
 */
function best(topic: string, pages: string[], named: Map<string, string>): string[] {
  const wanted = words(topic);
  if (wanted.length === 0) return [];
  const scored = pages.flatMap(path => {
    const name = stem(path);
    const title = words(named.get(path) ?? '');
    const own = new Set([...words(name.split('/').at(-1) ?? ''), ...title]);
    const all = new Set([...words(name), ...title]);
    if (!wanted.every(word => all.has(word))) return [];
    const inName = wanted.filter(word => own.has(word)).length;
    const whole = title.join(' ') === wanted.join(' ') ? 1 : 0;
    return [{ path, rank: [whole, inName, -title.length] }];
  });
  const top = scored.sort((a, b) => compare(b.rank, a.rank))[0];
  return top
    ? scored
        .filter(({ rank }) => rank[0] === top.rank[0] && rank[1] === top.rank[1])
        .map(({ path }) => path)
    : [];
}

function compare(a: number[], b: number[]): number {
  for (const [index, value] of a.entries()) if (value !== b[index]) return value - (b[index] ?? 0);
  return 0;
}

/** Lower-case words without plural s. */
function words(text: string): string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(word => (word.length > 3 ? word.replace(/s$/, '') : word));
}

export interface Hit {
  path: string;
  /** 1-based. */
  line: number;
  text: string;
}

/** The matching lines of a `search_text` result; long lines are cut in it. */
function readHits(text: string): Hit[] {
  return text.split('\n').flatMap(row => {
    const match = /^(.+?):(\d+): (.*)$/.exec(row);
    return match ? [{ path: match[1] ?? '', line: Number(match[2]), text: match[3] ?? '' }] : [];
  });
}

/**
 * The lines that match one of the patterns, searched for in one step where they are not too many.
 */
export function* search(
  desk: Desk,
  patterns: string | string[],
  caseSensitive: boolean,
  glob?: string,
): Work<Hit[]> {
  const texts = yield* desk.callsInFull(
    [patterns].flat().map(pattern => ({
      name: 'search_text',
      input: {
        pattern,
        ...(caseSensitive ? { case_sensitive: true } : {}),
        ...(glob ? { glob } : {}),
        max_results: 500,
      },
    })),
  );
  return texts.flatMap(readHits);
}

/** A literal text as an RE2 pattern, bounded where it begins or ends with a word character. */
export function literalPattern(text: string): string {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `${/^\w/.test(text) ? '\\b' : ''}${escaped}${/\w$/.test(text) ? '\\b' : ''}`;
}

/** `1 page`, `2 pages`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
