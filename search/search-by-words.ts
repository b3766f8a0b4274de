import { rankPages } from '../db/search/rank-pages.ts';
import type { Queryable } from '../db/pool.ts';
import type { SearchRequest, SearchResult } from '../db/search/search-request.ts';
import { questionLanguages } from './question-language.ts';
import { words } from './words.ts';

/** Words of a question that are looked at: a pasted log must not cost a second. */
const MOST_WORDS = 300;

/**
 * The pages that answer a question best by its words, each with its best sections; empty if no
 * word of it is in the index.
 */
export async function search(db: Queryable, request: SearchRequest): Promise<SearchResult[]> {
  const asked = words(request.query.slice(0, 20 * MOST_WORDS)).slice(0, MOST_WORDS);
  if (asked.length === 0) return [];
  return rankPages(db, {
    ...request,
    words: asked,
    languages: questionLanguages(request.query),
  });
}
