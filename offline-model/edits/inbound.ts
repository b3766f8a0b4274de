import { posix } from 'node:path';
import type { Nodes } from 'mdast';
import { pageLinks } from '../../shared/site/page-links.ts';
import { resolveLink } from '../../shared/site/resolve-link.ts';
import { parsePage, walk } from '../../shared/site/markdown.ts';
import type { Desk, Work } from '../desk.ts';
import { search } from '../pages.ts';
import { readSite } from './links.ts';
import { escape } from './terms.ts';

/** What links to a page, and what becomes of it when the page goes away without a successor. */
export interface Inbound {
  /** Pages without these links, whose words stay. */
  without: Map<string, string[]>;
  links: number;
  /** `path:line` of links that are no words on a page: cards, images, definitions. */
  left: string[];
}

/** Links on other pages that lead to this one. */
export function* inboundLinks(desk: Desk, page: string): Work<Inbound> {
  const site = yield* readSite(desk);
  const hits = yield* search(desk, candidates(page), false, '**/*.{md,mdx}');
  const texts = yield* desk.readAll(
    [...new Set(hits.map(hit => hit.path))].filter(path => path !== page),
  );
  const found: Inbound = { without: new Map(), links: 0, left: [] };
  for (const [path, lines] of texts) {
    const text = lines.join('\n');
    const { tree } = parsePage(path, text);
    const leadsHere = (url: string) => {
      const target = resolveLink(url, path, site);
      return target.kind === 'internal' && target.file === page;
    };
    const links = [...walk(tree)].flatMap(node =>
      node.type === 'link' && leadsHere(node.url)
        ? [
            {
              ...extent(node),
              words: {
                start: extent(node.children[0]).start,
                end: extent(node.children.at(-1)).end,
              },
            },
          ]
        : [],
    );
    const others = pageLinks(tree, text).filter(
      ({ url, range }) =>
        leadsHere(url) &&
        !links.some(({ start, end }) => range && start <= range.start && range.end <= end),
    );
    found.left.push(...others.map(({ line }) => `${path}:${line}`));
    if (links.length === 0) continue;
    found.links += links.length;
    found.without.set(
      path,
      links
        .reduceRight(
          (rest, { start, end, words }) =>
            rest.slice(0, start) + rest.slice(words.start, words.end) + rest.slice(end),
          text,
        )
        .split('\n'),
    );
  }
  return found;
}

/**
 * RE2 of lines that may hold such a link. An index page answers to its folder, also as `/`, `./` or
 * `..`.
 */
function candidates(page: string): string[] {
  const name = posix.basename(page).replace(/\.mdx?$/i, '');
  return /^(?:index|readme)$/i.test(name)
    ? [
        escape(name),
        escape(posix.basename(posix.dirname(page))),
        '["\'(](?:\\.{0,2}/)*(?:\\.{1,2})?["\')#?]',
      ]
    : [escape(name)];
}

/** Offsets in the text. */
function extent(node: Nodes | undefined): { start: number; end: number } {
  return { start: node?.position?.start.offset ?? 0, end: node?.position?.end.offset ?? 0 };
}
