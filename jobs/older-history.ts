import type { Client } from '@temporalio/client';
import type { Job } from '../db/jobs/job.ts';
import { listInstructions } from '../db/jobs/instructions.ts';
import type { Pool } from '../db/pool.ts';
import type { JobView } from '../shared/jobs/job.ts';
import { hasLostRun } from './lost-run.ts';
import { signalMessage } from './workflow-client.ts';
import { wasReset } from './follow-reset.ts';

/**
 * Whether a workflow's history is older than the job's row, which was read first: Temporal was
 * restored from a backup. Otherwise a workflow is at most one activity behind the row.
 */
export async function isOlder(
  deps: { pool: Pool; temporal: Client },
  row: Job,
  view: JobView,
): Promise<boolean> {
  if (row.runId === view.runId) return isBehind(row, view) || lacksTurn(row, view);
  return wasReset(row, view) && row.runId !== null && hasLostRun(deps, row.id, row.runId);
}

/** Behind the row of the same run by more than the activity whose end it is about to learn. */
export function isBehind(row: Pick<Job, 'epoch' | 'n'>, { epoch, n }: JobView): boolean {
  return epoch < row.epoch || (epoch === row.epoch && n < row.n - 1);
}

/** Idle, while the row is in a later turn: a workflow counts a turn before it reads for it. */
function lacksTurn({ turns }: Pick<Job, 'turns'>, view: JobView): boolean {
  return isWorkflowIdle(view) && view.turn < turns;
}

/** Whether a workflow has nothing to do until it is signalled, whatever its status says. */
export function isWorkflowIdle({ isWaiting, queue }: JobView): boolean {
  return isWaiting && queue === 0;
}

/**
 * Signals again what an idle workflow with an older history does not know, though the row's job has
 * read it: the workflow begins the turn, and results that are stored answer for as long as it comes
 * to the same. Returns how many instructions those are.
 */
export async function resendRead(
  { pool, temporal }: { pool: Pool; temporal: Client },
  jobId: string,
  view: JobView,
): Promise<number> {
  const later = (await listInstructions(pool, jobId)).filter(
    ({ state, turn }) => state === 'waiting' || (state === 'taken' && (turn ?? 0) > view.turn),
  );
  for (const { messageId, prompt } of later)
    await signalMessage(temporal, jobId, messageId, prompt);
  return later.length;
}
