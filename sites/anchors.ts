import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { walk } from './markdown.ts';
import { trailingBraces } from './outline/page-outline.ts';

/**
 * The anchors of a page's headings in their order, by GitHub's slugs or as written behind them:
 * `{#id}`.
 */
function headingAnchors(tree: Root): string[] {
  const slugger = new GithubSlugger();
  return [...walk(tree)].flatMap(node => {
    if (node.type !== 'heading') return [];
    const title = toString(node);
    const own = /^\{#(.+)\}$/.exec(trailingBraces(title))?.[1];
    return [own ?? slugger.slug(title)];
  });
}

/**
 * The anchors that a page has: those of its headings, ids written in HTML, JSX or as `{#id}`, names
 * of `<a>`.
 */
export function pageAnchors(tree: Root, text: string): Set<string> {
  const anchors = new Set(headingAnchors(tree));
  for (const [, , id = ''] of text.matchAll(/\s(?:id|name)\s*=\s*\{?(["'])(.*?)\1/g))
    anchors.add(id);
  for (const [, id = ''] of text.matchAll(/\{#([^{}\s]+)\}/g)) anchors.add(id);
  return anchors;
}
