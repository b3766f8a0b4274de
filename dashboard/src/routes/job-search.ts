import type { Outcome } from '../../../api/dashboard/contract/jobs.ts';
import { oneOf, optional, type SearchParams, text } from './search-params.ts';

export const OUTCOMES = [
  'active',
  'open',
  'merged',
  'closed',
  'unchanged',
  'answered',
  'declined',
  'unpublished',
  'cancelled',
  'failed',
] as const satisfies readonly Outcome[];

/** The filters of a list of jobs, as its address keeps them. */
export function jobSearch(search: SearchParams) {
  const day = (value: unknown) =>
    /^2\d{3}-\d\d-\d\d$/.test(String(value)) ? String(value) : undefined;
  const number = Number(search['pullRequest']);
  return optional({
    outcome: oneOf(search['outcome'], OUTCOMES),
    search: text(search['search']),
    person: text(search['person']),
    model: text(search['model']),
    since: day(search['since']),
    until: day(search['until']),
    pullRequest: Number.isInteger(number) && number > 0 ? number : undefined,
  });
}
export type JobSearch = ReturnType<typeof jobSearch>;
