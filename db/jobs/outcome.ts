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
