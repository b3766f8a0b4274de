import { pageAnchors } from '../../sites/anchors.ts';
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
  return { frontmatter, error, links: pageLinks(tree, text), anchors: pageAnchors(tree, text) };
}, 5_000);
