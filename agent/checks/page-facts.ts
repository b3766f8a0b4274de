import { pageLinks, type PageLink } from '../../sites/page-links.ts';
import { type PageError, parsePage } from '../../sites/markdown.ts';
import { rememberByContent } from '../content-cache.ts';

/** What the checks need of a page; small beside its tree. */
export interface PageFacts {
  error: PageError | undefined;
  links: PageLink[];
}

export const pageFacts = rememberByContent((path, text): PageFacts => {
  const { error, tree } = parsePage(path, text);
  return { error, links: pageLinks(tree, text) };
}, 5_000);
