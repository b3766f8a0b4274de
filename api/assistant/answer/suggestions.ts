import type { SearchResult } from '../../../shared/search/search-request.ts';
import type { Citations } from './citations.ts';

const AT_MOST = 3;
const NEAR = 0.4; // of the best page's score; below it a page shares little more than a word with the question

/**
 * A fenced block of pages that go with the answer and that it does not cite; '' where there are
 * none, or no answer.
 */
export function suggestions(
  found: readonly Pick<SearchResult, 'path' | 'title' | 'score'>[],
  citations: Citations,
): string {
  if (citations.sources().length === 0) return '';
  const best = found[0]?.score ?? 0;
  const near = found
    .filter(page => page.score >= best * NEAR && !citations.cites(page.path))
    .slice(0, AT_MOST);
  if (near.length === 0) return '';
  return `\n\n\`\`\`suggestions\n${near.map(page => `(${plain(page.title)})[${page.path}]`).join('\n')}\n\`\`\`\n`;
}

/** A title without what would end its parentheses or the block. */
function plain(title: string): string {
  return title
    .replace(/[()[\]`\r\n]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
