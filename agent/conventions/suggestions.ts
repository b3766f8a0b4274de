import type { ReviewRequest } from '../../db/conventions/conventions.ts';

/** Requests that are alike, of at least two jobs. */
export interface Suggestion {
  /** That of the oldest request. */
  id: string;
  words: string[];
  requests: ReviewRequest[];
}

/** Jobs that a request must come from to be a convention. */
const MIN_JOBS = 2;

/**
 * What reviewers asked for more than once, the most frequent first, without what `decided` is alike
 * to. A request joins the first group whose oldest request is like it.
 */
export function suggestConventions(
  requests: readonly ReviewRequest[],
  decided: readonly (readonly string[])[],
): Suggestion[] {
  const groups: Suggestion[] = [];
  for (const request of requests) {
    if (decided.some(words => areAlike(words, request.words))) continue;
    const group = groups.find(({ words }) => areAlike(words, request.words));
    if (group) group.requests.push(request);
    else groups.push({ id: request.id, words: request.words, requests: [request] });
  }
  return groups
    .filter(group => jobsOf(group) >= MIN_JOBS)
    .sort((a, b) => jobsOf(b) - jobsOf(a) || b.requests.length - a.requests.length);
}

function jobsOf({ requests }: Suggestion): number {
  return new Set(requests.map(({ jobId }) => jobId)).size;
}

/** Two of three stems are shared, as of questions that count as one. */
function areAlike(a: readonly string[], b: readonly string[]): boolean {
  const common = a.filter(word => b.includes(word)).length;
  return common > 0 && 3 * common >= 2 * (a.length + b.length - common);
}
