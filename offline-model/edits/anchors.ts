import GithubSlugger from 'github-slugger';
import type { Desk, Report, Work } from '../desk.ts';
import { pagesWithLinks, relinked, resolve } from '../links.ts';
import { headings, ownId } from '../markdown.ts';
import { count } from '../wording.ts';

/** Points links at the new anchors of headings whose text has changed since `before` was read. */
export function* followHeadings(
  desk: Desk,
  before: Map<string, string[]>,
  report: Report,
): Work<void> {
  const after = yield* desk.readAll([...before.keys()]);
  const moved = new Map(
    [...before].map(([path, lines]) => [path, anchorsMoved(lines, after.get(path) ?? lines)]),
  );
  if ([...moved.values()].every(anchors => anchors.size === 0)) return;
  const pages = yield* desk.pages();
  const fresh = (url: string, from: string) => {
    const target = resolve(desk, pages, url, from);
    return moved.get(target?.page ?? '')?.get(target?.anchor.toLowerCase() ?? '');
  };
  const linking = yield* pagesWithLinks(
    desk,
    '#\\w',
    (url, from) => fresh(url, from) !== undefined,
  );
  let links = 0;
  for (const [path, lines] of yield* desk.readAll(linking)) {
    const changed = relinked(lines, ({ url }) => {
      const anchor = fresh(url, path);
      if (anchor === undefined) return undefined;
      links++;
      return `${url.slice(0, url.indexOf('#'))}#${anchor}`;
    });
    desk.change(path, changed, report);
  }
  if (links > 0)
    report.sentences.push(
      `${count(links, 'link')} ${links === 1 ? 'follows' : 'follow'} a heading whose text changed.`,
    );
}

/** Old anchors and new ones, of the headings that have another text now. */
function anchorsMoved(before: string[], after: string[]): Map<string, string> {
  const [old = [], fresh = []] = [before, after].map(anchorsOf);
  if (old.length !== fresh.length) return new Map();
  const kept = new Set(fresh);
  return new Map(
    old.flatMap((anchor, index) =>
      anchor === fresh[index] || kept.has(anchor) ? [] : [[anchor, fresh[index] ?? ''] as const],
    ),
  );
}

function anchorsOf(lines: string[]): string[] {
  const slugger = new GithubSlugger();
  return headings(lines).map(({ text, line }) => ownId(lines[line] ?? '') ?? slugger.slug(text));
}
