import { pageAnchors } from '../../sites/anchors.ts';
import { hostIds } from '../../sites/kinds/docs-json/anchors.ts';
import { outlinePage } from '../../sites/outline/page-outline.ts';
import { pageLinks, type PageLink } from '../../sites/page-links.ts';
import { type PageError, parsePage } from '../../sites/markdown.ts';
import { rememberByContent } from '../content-cache.ts';

/** What the checks need of a page; small beside its tree. */
export interface PageFacts {
  frontmatter: Record<string, unknown>;
  error: PageError | undefined;
  links: PageLink[];
  anchors: ReadonlySet<string>;
}

export const pageFacts = rememberByContent((path, text): PageFacts => {
  const { frontmatter, error, tree } = parsePage(path, text);
  // A site of docs.json has ids of its own, and others have none that look like them.
  const anchors = new Set([...pageAnchors(tree, text), ...hostIds(outlinePage(path, text))]);
  return { frontmatter, error, links: pageLinks(tree, text), anchors };
}, 5_000);
