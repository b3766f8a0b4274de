/**
 * Where a job stands: `active`; what became of its pull request (`open`, `merged`, `closed`); or how
 * it ended without one. `no_change`: it finished, and nothing differs. `declined`: it only answered.
 * `refused`: the policy refused its edits. `unpublished`: an evaluation.
 */
export const OUTCOMES = [
  'active',
  'open',
  'merged',
  'closed',
  'no_change',
  'declined',
  'refused',
  'unpublished',
  'cancelled',
  'failed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What came of a job, as the API and the command line say it. */
export const RESULTS = [
  'published',
  'unchanged',
  'answered',
  'declined',
  'failed',
  'cancelled',
] as const;
export type Result = (typeof RESULTS)[number];

const RESULT_OF: Record<Outcome, Result | null> = {
  active: null,
  open: 'published',
  merged: 'published',
  closed: 'published',
  no_change: 'unchanged',
  unpublished: 'unchanged',
  declined: 'answered',
  refused: 'declined',
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
