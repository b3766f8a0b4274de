/**
 * Seconds that `Retry-After` names to a refused caller, by reason. Limits that count by the hour,
 * day or month name the end of their window instead: those of the assistant in
 * assistant/limits/use-limits.ts and cost-limit.ts, those of jobs in agent/write/limits.ts, those of
 * bodies in plugins/body-limits.ts, and that of signing in in dashboard/people/sign-in-limit.ts.
 */
export const RETRY_AFTER_SECONDS = {
  activeJobs: 30,
  waitingInstructions: 10,
  answerStreams: 2,
  progressStreams: 5,
  jobStarting: 1,
  sameRequestRunning: 1,
  outage: 5,
  signOnProvider: 10,
  firstIndex: 10,
  unusedUploads: 600,
} as const;

/** The response header that says when to try again. */
export function retryAfter(seconds: number): { 'retry-after': string } {
  return { 'retry-after': String(seconds) };
}
