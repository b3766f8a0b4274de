import { eld } from 'eld/extrasmall';
import { rankPages } from '../db/search/rank-pages.ts';
import type { Queryable } from '../db/pool.ts';
import type { SearchRequest, SearchResult } from '../db/search/search-request.ts';
import { words } from './words.ts';

/** Words of a question that are looked at: a pasted log must not cost a second. */
const MOST_WORDS = 300;

/** Names and single words are the same in many languages. */
const FEW_WORDS = 3;
/** Scores are from 0 to 1; languages that are nearer to each other than this are not told apart. */
const NEAR = 0.08;
/** Languages that are written alike, or have more than one tag. */
const ALSO: Record<string, string[]> = {
  ms: ['id'],
  no: ['nb', 'nn'],
  hr: ['bs', 'sr'],
  tl: ['fil'],
};
const LONGEST_QUESTION = 300;

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

/**
 * The languages that a question may be in, the likeliest first, as two- or three-letter tags; empty
 * if it is too short to tell. Takes 0.2 ms.
 */
function questionLanguages(question: string): string[] {
  const text = question.slice(0, LONGEST_QUESTION);
  const isPlain = /^[\p{ASCII}\p{P}\p{S}]*$/u.test(text);
  if (isPlain && text.trim().split(/\s+/).length < FEW_WORDS) return [];
  const scores = Object.entries(eld.detect(text).getScores());
  const best = Math.max(...scores.map(([, score]) => score));
  return scores
    .filter(([, score]) => score >= best - NEAR)
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([language]) => [language, ...(ALSO[language] ?? [])]);
}
