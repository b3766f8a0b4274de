import type { Queryable } from '../db/pool.ts';
import { readVectors, similarity } from '../db/search/vectors.ts';
import type { SearchRequest, SearchResult } from '../db/search/search-request.ts';
import type { Embed } from './embed.ts';
import type { IndexPage } from '../db/search/index-page.ts';
import { search } from './search-by-words.ts';

/**
 * Words from which on a query is a question. Fewer are mostly names, which words find better: on
 * 568 questions over five sites, nDCG@10 is .778 by words, .780 with meaning for every query, .787
 * with meaning from five words on (six, seven and eight are above .782, too).
 */
const QUESTION = 5;
/**
 * Pages that words find and meaning puts in order, unless more are asked for. Fifty find nothing
 * more, in twice the time.
 */
const CANDIDATES = 20;
/** The share of meaning in the order; the rest is words'. */
const MEANING = 0.4;

/** The search of this installation: by words, and with a model questions also by meaning. */
export function openSearch(
  db: Queryable,
  embed?: Embed,
): (request: SearchRequest) => Promise<SearchResult[]> {
  if (!embed) return request => search(db, request);
  return async request => {
    if (request.query.trim().split(/\s+/).length < QUESTION) return search(db, request);
    const [found, [asked]] = await Promise.all([
      search(db, { ...request, pageSize: Math.max(CANDIDATES, request.pageSize) }),
      embed([request.query]),
    ]);
    if (!asked) return found.slice(0, request.pageSize);
    const near = await nearness(
      db,
      request.projectId,
      found.map(result => result.path),
      asked,
    );
    return fuse(found, near).slice(0, request.pageSize);
  };
}

/** What the model reads of each section. */
export function sectionTexts(page: IndexPage): string[] {
  return page.sections.map(section => `${page.title}. ${section.heading}. ${section.text}`);
}

/**
 * How near each page's nearest section is to the question, -1 to 1; pages without vectors are left
 * out.
 */
async function nearness(
  db: Queryable,
  projectId: string,
  paths: string[],
  asked: Float32Array,
): Promise<Map<string, number>> {
  const nearest = new Map<string, number>();
  for (const { path, vector } of await readVectors(db, projectId, paths)) {
    nearest.set(path, Math.max(similarity(asked, vector), nearest.get(path) ?? -1));
  }
  return nearest;
}

/**
 * Both scores from 0 to 1 over the candidates, then their weighted sum. A page without vectors
 * counts as the farthest.
 */
function fuse(found: SearchResult[], near: Map<string, number>): SearchResult[] {
  const byWords = scale(found.map(result => result.score));
  const farthest = Math.min(...near.values());
  const byMeaning = scale(found.map(result => near.get(result.path) ?? farthest));
  return found
    .map((result, i) => ({
      ...result,
      score: (1 - MEANING) * byWords[i]! + MEANING * byMeaning[i]!,
    }))
    .sort((a, b) => b.score - a.score);
}

function scale(values: number[]): number[] {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  return values.map(value => (span > 0 ? (value - least) / span : 0));
}
