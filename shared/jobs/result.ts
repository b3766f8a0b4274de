/**
 * What came of a turn, and of a job: `published` in a pull request; `unchanged`: nothing was to be
 * done; `answered`: the agent only said or asked something; `declined`: the policy refused its edits.
 */
export const RESULTS = [
  'published',
  'unchanged',
  'answered',
  'declined',
  'failed',
  'cancelled',
] as const;
export type Result = (typeof RESULTS)[number];

export type HaltReason = 'completed' | 'repohost_missconfigured' | 'error';
