import { headingAnchors } from '../../shared/site/anchors.ts';
import { resolveLink } from '../../shared/site/resolve-link.ts';
import { parsePage } from '../../shared/site/markdown.ts';
import type { Area } from '../area.ts';
import type { Desk, Report, Work } from '../desk.ts';
import { count, search } from '../pages.ts';
import { readSite, relinked } from './links.ts';
import { escape } from './terms.ts';

/**
 * Points links at the new anchors of headings whose text has changed since `before` was read; names
 * those on pages that may not change.
 */
export function* followHeadings(
  desk: Desk,
  before: Map<string, string[]>,
  { mayChange }: Area,
  report: Report,
): Work<void> {
  const after = yield* desk.readAll([...before.keys()]);
  const moved = new Map(
    [...before].map(([path, lines]) => [path, anchorsMoved(path, lines, after.get(path) ?? lines)]),
  );
  const anchors = [...new Set([...moved.values()].flatMap(renamed => [...renamed.keys()]))];
  if (anchors.length === 0) return;
  const site = yield* readSite(desk);
  const hits = yield* search(
    desk,
    anchors.map(anchor => `#${escape(anchor)}(?:[^\\w-]|$)`),
    false,
    '**/*.{md,mdx}',
  );
  const texts = yield* desk.readAll([...new Set(hits.map(hit => hit.path))]);
  const left: string[] = [];
  let links = 0;
  for (const [path, lines] of texts) {
    const changed = relinked(path, lines, ({ url, line }) => {
      const target = resolveLink(url, path, site);
      const fresh =
        target.kind === 'internal' &&
        moved.get(target.file ?? '')?.get(target.anchor?.toLowerCase() ?? '');
      if (!fresh) return undefined;
      if (mayChange(path)) return `${url.slice(0, url.indexOf('#'))}#${fresh}`;
      left.push(`${path}:${line}`);
      return undefined;
    });
    if (changed.links > 0) desk.change(path, changed.lines, report);
    links += changed.links;
  }
  if (links > 0)
    report.sentences.push(
      `${count(links, 'link')} now ${links === 1 ? 'leads' : 'lead'} to the new anchor of a heading.`,
    );
  if (left.length > 0)
    report.failures.push(
      `${count(left.length, 'link')} to the old anchor of a heading ${left.length === 1 ? 'is' : 'are'} left, on pages that are to stay as they are: ${left.slice(0, 10).join(', ')}.`,
    );
}

/** Old anchors and new ones, of the headings that were there before and have another text now. */
function anchorsMoved(path: string, before: string[], after: string[]): Map<string, string> {
  // Parsing takes long, and few pages have other headings.
  if (
    !before.some(
      (line, index) =>
        line !== after[index] &&
        (/^[\s>]*#{1,6}\s/.test(line) || /^[\s>]*(?:=+|-+)\s*$/.test(before[index + 1] ?? '')),
    )
  )
    return new Map();
  const [old = [], fresh = []] = [before, after].map(lines =>
    headingAnchors(parsePage(path, lines.join('\n')).tree),
  );
  if (old.length !== fresh.length) return new Map();
  const kept = new Set(fresh);
  return new Map(
    old.flatMap((anchor, index) =>
      anchor === fresh[index] || kept.has(anchor) ? [] : [[anchor, fresh[index] ?? ''] as const],
    ),
  );
}
