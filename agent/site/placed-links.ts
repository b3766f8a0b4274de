import { isPagePath } from '../../sites/markdown.ts';
import type { OutlineLink } from '../../sites/outline/page-outline.ts';
import { likelyLinks, type PageLink } from '../../sites/page-links.ts';
import { pageFacts } from '../checks/page-facts.ts';
import type { OwnLink } from './own-links.ts';

/** The links of a page, with the places where their addresses are written. */
export function parsedLinks(
  text: string,
  file: string,
  outlined: readonly OutlineLink[],
): PageLink[] {
  const found = isPagePath(file) ? pageFacts(file, text).links : [];
  return [...found, ...missed(text, found, outlined)];
}

/**
 * The same for the links to what moves, without parsing the page, which takes a second for a long
 * changelog. Undefined unless each has one place on its line, and nothing else on the page looks
 * like a link there.
 */
export function certainLinks(
  text: string,
  inbound: readonly (OutlineLink | OwnLink)[],
  moves: (url: string) => boolean,
): PageLink[] | undefined {
  const starts = lineStarts(text);
  const links = inbound.flatMap(link => ('isOwn' in link ? [] : [link]));
  const placed = links.flatMap(({ kind, url, line, element }): PageLink[] => {
    const start = starts[line - 1] ?? text.length;
    const at = onlyPlace(text.slice(start, starts[line] ?? text.length), url);
    if (at === undefined || isHugoRef(element)) return [];
    const range = { start: start + at, end: start + at + url.length };
    return isLinkAt(text, start, range) ? [{ kind, url, line, range }] : [];
  });
  const likely = likelyLinks(text).filter(moves);
  const written = placed.map(({ url }) => url);
  // The outline's lines are not exact in tables and behind wrapped code.
  const places = new Set(placed.map(({ range }) => range?.start));
  const isCertain = places.size === links.length && isSame(likely, written);
  return isCertain ? placed : undefined;
}

const LINK_BEFORE = /(?:\]\(|\b(?:href|src|poster)\s*=\s*\{?\s*["']|\bfrom\s*["'])$/i;

/** Whether an address is written as that of a link, on a line that begins at `start`. */
function isLinkAt(text: string, start: number, range: { start: number; end: number }): boolean {
  return LINK_BEFORE.test(text.slice(start, range.start)) && /[)"'\s]/.test(text.charAt(range.end));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [some, others].map(urls => urls.toSorted().join('\n'));
  return one === other;
}

/** own-links.ts finds it. */
function isHugoRef(element: string | undefined): boolean {
  return element === 'ref';
}

/**
 * Links that the Markdown parser takes for code or text, and the site does not: those in directives
 * of MyST, say, or in shortcodes of Hugo. Only where the line, or the page, has the address once.
 */
function missed(
  text: string,
  found: readonly PageLink[],
  outlined: readonly OutlineLink[],
): PageLink[] {
  const known = new Set(found.map(({ url, line }) => `${line} ${url}`));
  const starts = lineStarts(text);
  return outlined.flatMap(({ kind, url, line, element }): PageLink[] => {
    if (known.has(`${line} ${url}`) || url === '' || isHugoRef(element)) return [];
    const start = starts[line - 1] ?? text.length;
    const written = text.slice(start, starts[line] ?? text.length);
    // The navigation's edit may have moved the lines: then it is looked for on the whole page.
    const at = onlyPlace(written, url) ?? onlyPlace(text, url);
    const from = at === undefined ? -1 : at + (onlyPlace(written, url) === undefined ? 0 : start);
    return from >= 0 ? [{ kind, url, line, range: { start: from, end: from + url.length } }] : [];
  });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Where an address begins, behind a bracket or in quotes, if that is so at one place only. */
function onlyPlace(text: string, url: string): number | undefined {
  const places = [`(${url}`, `"${url}"`, `'${url}'`].flatMap(marked => {
    const at = text.indexOf(marked);
    if (at < 0) return [];
    return text.indexOf(marked, at + 1) < 0 ? [at + 1] : [at + 1, at + 1];
  });
  return places.length === 1 ? places[0] : undefined;
}
