import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Desk, Report, Work } from '../desk.ts';
import { count, search } from '../pages.ts';
import { headings } from './markdown.ts';
import { escape } from './terms.ts';

const LINK = /(\]\(|href=["']|^\s*\[[^\]]+\]:\s*)([^)"'\s#]*)#([^)"'\s]+)/g;

/** Points links at the new anchors of headings whose text has changed since `before` was read. */
export function* followHeadings(desk: Desk, before: Map<string, string[]>, report: Report): Work<void> {
  const after = yield* desk.readAll([...before.keys()]);
  const moved = new Map<string, Map<string, string>>();
  for (const [path, lines] of before) {
    const renamed = anchorsMoved(lines, after.get(path) ?? lines);
    if (renamed.size > 0) moved.set(path, renamed);
  }
  const anchors = [...new Set([...moved.values()].flatMap((renamed) => [...renamed.keys()]))];
  if (anchors.length === 0) return;
  const hits = yield* search(desk, anchors.map((anchor) => `#${escape(anchor)}(?:[^\\w-]|$)`), false, '**/*.{md,mdx}');
  const texts = yield* desk.readAll([...new Set(hits.map((hit) => hit.path))]);
  let links = 0;
  for (const [path, lines] of texts) {
    const changed = lines.map((line) => line.replace(LINK, (match, lead: string, target: string, anchor: string) => {
      const page = [...moved.keys()].find((one) => leadsTo(target, path, one));
      const fresh = page && moved.get(page)?.get(anchor.toLowerCase());
      if (!fresh) return match;
      links++;
      return `${lead}${target}#${fresh}`;
    }));
    if (changed.some((line, index) => line !== lines[index])) desk.change(path, changed, report);
  }
  if (links > 0) report.sentences.push(`${count(links, 'link')} now ${links === 1 ? 'leads' : 'lead'} to the new anchor of a heading.`);
}

/** Old anchors and new ones, of the headings that were there before and have another text now. */
function anchorsMoved(before: string[], after: string[]): Map<string, string> {
  const [old, fresh] = [anchorsOf(before), anchorsOf(after)];
  if (old.length !== fresh.length) return new Map();
  const kept = new Set(fresh);
  return new Map(old.flatMap((anchor, index) => (anchor === fresh[index] || kept.has(anchor) ? [] : [[anchor, fresh[index] ?? ''] as const])));
}

/** The anchors of a page's headings in their order; an id of its own stays a heading's anchor. */
function anchorsOf(lines: string[]): string[] {
  const slugger = new GithubSlugger();
  return headings(lines).map(({ line, text }) => {
    const own = /\{(?:#|\/\*\s*)([\w-]+)\s*(?:\*\/)?\}\s*$/.exec(lines[line] ?? '')?.[1];
    return own ?? slugger.slug(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
  });
}

/** Whether a link's target, without anchor, may be this page; the end of its path is enough, as sites differ in what they begin with. */
function leadsTo(target: string, from: string, page: string): boolean {
  if (target === '') return from === page;
  if (/^[a-z][\w+.-]*:|^\/\//i.test(target)) return false;
  const bare = (path: string) => path.replace(/\.(?:mdx?|html)$/i, '').replace(/\/(?:index|README)$/i, '').replace(/\/$/, '');
  const wanted = bare(target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target));
  return wanted !== '' && `/${bare(page)}`.endsWith(`/${wanted.replace(/^docs\//, '')}`);
}
