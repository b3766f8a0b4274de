import { BROKEN, LINKS_NOT_UNDERSTOOD, NOT_VALID } from '../../shared/agent-text.ts';
import { decoded } from '../../sites/kinds/paths.ts';
import { parsePage } from '../../sites/markdown.ts';
import { pageLinks } from '../../sites/page-links.ts';
import type { Desk, Report, Work } from '../desk.ts';
import { findPlace } from '../places.ts';
import { count, someOf } from '../wording.ts';

/** A link that leads nowhere, as `check` says. */
export interface Broken {
  path: string;
  line: string;
  rule: string;
  url: string;
  /** The only page that has the name, as a link. */
  meant: string | undefined;
}

/**
 * Points links that lead to no page at the only page that has the name, by the rules of the site
 * that the tool `check` knows; names the others.
 */
export function* fixLinks(desk: Desk, [where]: (string | undefined)[], report: Report): Work<void> {
  const place = yield* findPlace(desk, where);
  if (place.reason !== undefined) return void report.failures.push(place.reason);
  const { text, isError } = yield* desk.call('check', { all: true });
  const refusal = isError
    ? text
    : (LINKS_NOT_UNDERSTOOD.exec(text)?.[0] ?? NOT_VALID.exec(text)?.[1]);
  if (refusal !== undefined) return void report.failures.push(`I left the links alone. ${refusal}`);
  const isAsked = ({ path, rule }: Broken) => rule === 'link' && place.has(path);
  const { changed, open } = yield* repairLinks(
    desk,
    { all: true },
    link => (isAsked(link) ? link.meant : undefined),
    report,
  );
  const inPlace = where === undefined ? '' : ` in ${where}`;
  const fixed = changed.map(({ path, line, url, to }) => `${path}:${line} (${url} is now ${to})`);
  const left = open.filter(isAsked).map(({ path, line, url }) => `${path}:${line} (${url})`);
  if (fixed.length > 0)
    report.sentences.push(`Fixed ${count(fixed.length, 'link')}${inPlace}: ${someOf(fixed)}.`);
  if (left.length > 0)
    report.sentences.push(
      `I left ${count(left.length, 'link')} that ${left.length === 1 ? 'leads' : 'lead'} to no ` +
        `page, because no page, or more than one, has that name: ${someOf(left)}.`,
    );
  if (fixed.length + left.length === 0)
    report.sentences.push(`I found no broken link to a page${inPlace}.`);
}

/**
 * Gives links that lead nowhere the address that `meant` has for them, until `check` names no other
 * that has one. `open` is what it named last.
 */
export function* repairLinks(
  desk: Desk,
  input: { all?: boolean },
  meant: (link: Broken) => string | undefined,
  report: Report,
): Work<{ changed: (Broken & { to: string })[]; open: Broken[] }> {
  const changed: (Broken & { to: string })[] = [];
  const tried = new Set<string>();
  for (;;) {
    const open = yield* brokenLinks(desk, input);
    const before = tried.size;
    for (const link of open) {
      const to = meant(link);
      const key = `${link.path}\n${link.url}`;
      if (to === undefined || tried.has(key)) continue;
      tried.add(key);
      for (const line of yield* relink(desk, link, to, report)) changed.push({ ...link, line, to });
    }
    if (tried.size === before) return { changed, open };
  }
}

/** What `check` says of what the job changed, or of `all` that is there. */
export function* brokenLinks(desk: Desk, input: { all?: boolean }): Work<Broken[]> {
  const { text } = yield* desk.call('check', input);
  return Array.from(
    text.matchAll(BROKEN),
    ([, path = '', line = '', rule = '', url = '', meant]) => ({ path, line, rule, url, meant }),
  );
}

/** Gives a link of a page another address, wherever the page has it but in code: these lines. */
function* relink(desk: Desk, { path, url }: Broken, to: string, report: Report): Work<string[]> {
  const lines = yield* desk.read(path);
  if (!lines) return [];
  const text = lines.join('\n');
  const current = [...lines];
  const links = pageLinks(parsePage(path, text).tree, text);
  // An image does not lead to a page.
  const isPage = !/\.(?!mdx?\b)\w+$/i.test(to);
  const own = links.filter(
    link => link.range && decoded(link.url) === decoded(url) && !(isPage && link.kind === 'image'),
  );
  return own.toReversed().map(({ line, range: { start, end } = { start: 0, end: 0 } }) => {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const old = current[line - 1] ?? '';
    const fresh = old.slice(0, start - from) + to + old.slice(end - from);
    current[line - 1] = fresh;
    desk.change(path, [line - 1, line], [fresh], report);
    return String(line);
  });
}
