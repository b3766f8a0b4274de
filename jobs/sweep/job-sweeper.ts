import type { Client } from '@temporalio/client';
import type { Log } from '../../shared/logger.ts';
import type { Config } from '../../shared/config.ts';
import { withAdvisoryLock } from '../../db/advisory-lock.ts';
import { giveUpJob, jobById } from '../../db/jobs/jobs.ts';
import {
  findStaleJobs,
  settleLostJob,
  type StaleJob,
  unarchivedJobs,
} from '../../db/jobs/lost-jobs.ts';
import { closeLostCalls } from '../../db/models/model-calls.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { JOB_WORKFLOW } from '../../shared/jobs/job.ts';
import { blockedBy, UNBLOCK } from '../blocked-job.ts';
import { restartIfLost } from '../lost-workflow.ts';
import { isOlder, isWorkflowIdle, resendRead } from '../older-history.ts';
import { followReset, wasReset } from '../follow-reset.ts';
import { currentRun, queryJob, signalMessage, workflowStatus } from '../workflow-client.ts';
import { removeExpired } from './expired-jobs.ts';
import { removeOldRows } from './old-rows.ts';
import { LOST_SENTENCE } from '../send-message.ts';
import { isOutage } from '../outage.ts';
import { orStopping, repeat } from './repeat.ts';

const LOCK = 7_363_624_202; // any constant: one process sweeps at a time
const BATCH = 500;
const DEADLINE_MS = 5_000;
/**
 * Closed workflows are looked up this far back. A sweep that is later than that misses only idle
 * jobs, which their next follow-up settles.
 */
const CLOSED_WITHIN_MS = 60 * 60_000;
const SWEEP_EVERY_MS = 30_000;

export interface SweepDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
  log: Log;
}

/** Sweeps every 30 seconds until it is stopped; `run` begins a sweep now. */
export function startSweeper(deps: SweepDeps): { run(): void; stop(): Promise<void> } {
  return repeat(
    SWEEP_EVERY_MS,
    stopping => sweepUntil(stopping, deps),
    error => deps.log.warn({ err: error }, 'the sweep did not finish'),
  );
}

async function sweepUntil(stopping: AbortSignal, deps: SweepDeps): Promise<void> {
  try {
    await sweepJobs(deps, stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
  }
}

/**
 * Compares live rows with Temporal and settles what a crash, or a person in the Web UI, left
 * behind: rows that never got a workflow are given up, rows whose workflow has ended fail, and
 * instructions that were never signalled are signalled.
 */
export async function sweepJobs(
  deps: SweepDeps,
  stopping = new AbortController().signal,
): Promise<void> {
  await withAdvisoryLock(deps.pool, LOCK, async () => {
    await apart(deps, { part: 'stale jobs' }, async () => {
      const asked = { answers: true };
      for (const job of await findStaleJobs(deps.pool, BATCH))
        await apart(deps, { jobId: job.id }, () => settle(deps, job, asked));
    });
    await apart(deps, { part: 'closed workflows' }, async () => {
      const closed = await orStopping(stopping, () => closedWorkflows(deps));
      for (const jobId of await unarchivedJobs(deps.pool, closed))
        await apart(deps, { jobId }, () => settleClosed(deps, jobId));
    });
    stopping.throwIfAborted();
    await apart(deps, { part: 'expired jobs' }, () => removeExpired(deps));
    await apart(deps, { part: 'lost model calls' }, () => closeLost(deps));
    await removeOldRows(deps);
  });
}

async function closeLost({ pool, log }: SweepDeps): Promise<void> {
  const calls = await closeLostCalls(pool, BATCH);
  if (calls > 0) log.warn({ calls }, 'model calls that nobody settled are closed');
}

/** What fails keeps nothing else waiting; an outage ends all the jobs of a part. */
async function apart(
  deps: SweepDeps,
  of: { part: string } | { jobId: string },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if ('jobId' in of && isOutage(error)) throw error;
    deps.log.warn({ err: error, ...of }, 'a part of the sweep failed; the others continue');
  }
}

/** Without a worker a query takes a second to fail: once in a sweep is enough. */
interface Asked {
  answers: boolean;
}

async function settle(deps: SweepDeps, job: StaleJob, asked: Asked): Promise<void> {
  const status = await workflowStatus(deps.temporal, job.id);
  if (status === 'RUNNING') return resend(deps, job, asked);
  // Its creator died before the start, and before it sent a response.
  if (status === undefined && job.state === 'starting') {
    deps.log.warn({ jobId: job.id }, 'a job that was never started is given up');
    await transaction(deps.pool, tx => giveUpJob(tx, job.id));
    return;
  }
  if (status === undefined && (await restartIfLost(deps, job.id))) {
    deps.log.warn({ jobId: job.id }, 'Temporal has lost a job: it is started again');
    return;
  }
  deps.log.warn({ jobId: job.id, status }, 'a job whose workflow has ended is settled');
  await settleLostJob(deps.pool, job.id, LOST_SENTENCE);
}

/**
 * Signals waiting instructions again if the workflow has fewer than are stored; it ignores known
 * ids. A workflow that rests while the row is active may lack some that were read, too.
 */
async function resend(deps: SweepDeps, job: StaleJob, asked: Asked): Promise<void> {
  if (job.waiting.length === 0 && !asked.answers) return;
  const row = await jobById(deps.pool, job.id);
  const view = row && (await queryJob(deps.temporal, job.id));
  asked.answers = view !== undefined;
  if (!view) {
    const reason = await blockedBy(deps.temporal, job.id);
    if (reason === undefined) return;
    asked.answers = true; // others may answer
    deps.log.error({ jobId: job.id, reason }, `a job is blocked: ${UNBLOCK}`);
    return;
  }
  if (row.state === 'active' && isWorkflowIdle(view) && (await isOlder(deps, row, view))) {
    deps.log.warn({ jobId: job.id }, 'Temporal lacks instructions of a job: they are sent again');
    await resendRead(deps, job.id, view);
    return;
  }
  if (job.waiting.length === 0 || view.queue >= job.waiting.length) return;
  for (const { messageId, prompt } of job.waiting)
    await signalMessage(deps.temporal, job.id, messageId, prompt);
}

async function settleClosed(deps: SweepDeps, jobId: string): Promise<void> {
  // The list may lag behind, and a reset continues under the same id: only the newest run counts.
  if ((await workflowStatus(deps.temporal, jobId)) === 'RUNNING') return followIfReset(deps, jobId);
  deps.log.warn({ jobId }, 'a job whose workflow has ended is settled');
  await settleLostJob(deps.pool, jobId, LOST_SENTENCE);
}

/** A reset from outside has ended the run that the row of an idle job still belongs to. */
async function followIfReset(deps: SweepDeps, jobId: string): Promise<void> {
  const row = await jobById(deps.pool, jobId);
  if (!row || (await currentRun(deps.temporal, jobId)) === row.runId) return;
  const view = await queryJob(deps.temporal, jobId);
  if (!view || !wasReset(row, view)) return;
  deps.log.info({ jobId }, 'a job that was reset is followed');
  await followReset(deps, row, view);
}

/** Of this installation: others may share the namespace. */
async function closedWorkflows({ temporal, config }: SweepDeps): Promise<string[]> {
  const since = new Date(Date.now() - CLOSED_WITHIN_MS).toISOString();
  const query =
    `WorkflowType = "${JOB_WORKFLOW}" AND CloseTime > "${since}" AND ExecutionStatus IN ` +
    '("Terminated", "Canceled", "Failed", "TimedOut", "Completed") ' +
    `AND TaskQueue = "${config.TASK_QUEUE}"`;
  return temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    const ids: string[] = [];
    for await (const { workflowId } of temporal.workflow.list({ query })) ids.push(workflowId);
    return ids;
  });
}
