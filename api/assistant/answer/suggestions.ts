import type { SearchResult } from '../../../db/search/search-request.ts';
import type { Citations } from './citations.ts';

const MAX_SUGGESTIONS = 3;
/** Part of the best score; below it a page shares little more than a word with the question. */
const NEAR = 0.4;

/** A fenced block of related pages that the answer does not cite; '' if there are none. */
export function suggestions(
  found: readonly Pick<SearchResult, 'path' | 'title' | 'score'>[],
  citations: Citations,
): string {
  if (citations.sources().length === 0) return '';
  const best = found[0]?.score ?? 0;
  const near = found
    .filter(page => page.score >= best * NEAR && !citations.cites(page.path))
    .slice(0, MAX_SUGGESTIONS);
  if (near.length === 0) return '';
  const lines = near.map(page => `(${plain(page.title)})[${page.path}]\n`);
  return `\n\n\`\`\`suggestions\n${lines.join('')}\`\`\`\n`;
}

/** A title without what would end its parentheses or the block. */
function plain(title: string): string {
  return title
    .replace(/[()[\]`\r\n]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
