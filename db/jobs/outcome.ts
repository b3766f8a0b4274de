import type { Result } from '../../shared/jobs/result.ts';

/**
 * Where a job stands: `active`; what became of its pull request (`open`, `merged`, `closed`); how its
 * last turn ended without one (`RESULTS`, shared/jobs/result.ts); or `unpublished`: an evaluation.
 */
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
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const RESULT_OF: Record<Outcome, Result | null> = {
  active: null,
  open: 'published',
  merged: 'published',
  closed: 'published',
  unchanged: 'unchanged',
  unpublished: 'unchanged',
  answered: 'answered',
  declined: 'declined',
  cancelled: 'cancelled',
  failed: 'failed',
};

export function resultOf(outcome: Outcome): Result | null {
  return RESULT_OF[outcome];
}

/** The outcomes behind a result that callers filter by. */
export function outcomesOf(result: Result): Outcome[] {
  return OUTCOMES.filter(outcome => RESULT_OF[outcome] === result);
}
