import { WorkflowNotFoundError } from '@temporalio/client';
import type { Job } from '../../../shared/db/jobs/job.ts';
import { settleLostJob } from '../../../shared/db/jobs/lost-jobs.ts';
import { Problem } from '../../../shared/errors.ts';
import type { AgentDeps } from '../deps.ts';
import { awaitJob, readJob, rowStatus } from '../read/read-job.ts';
import { LOST_SENTENCE, notStarted } from './send-message.ts';
import { signalEnd } from '../workflow-client.ts';

/** How long the response waits for the workflow; without a worker it reports the job as it is. */
const EFFECT_MS = 5_000;

/** Ends the current turn. An idle job stays as it is. */
export async function cancelJob(
  deps: AgentDeps,
  projectId: string,
  jobId: string,
  signal: AbortSignal,
): Promise<Job> {
  const job = await readJob(deps, projectId, jobId);
  if (rowStatus(job) !== 'active') return job;
  await tell(deps, job, 'cancel');
  return awaitJob(deps, projectId, jobId, {
    ms: EFFECT_MS,
    signal,
    enough: current => rowStatus(current) !== 'active',
  });
}

/**
 * Archives an idle job. Throws 409 if it is active, or becomes active before it is archived. Doing
 * it twice changes nothing.
 */
export async function archiveJob(
  deps: AgentDeps,
  projectId: string,
  jobId: string,
  signal: AbortSignal,
): Promise<Job> {
  const job = await readJob(deps, projectId, jobId);
  if (job.archivedAt) return job;
  if (rowStatus(job) === 'active') throw active();
  // Only archiving moves an idle job: if it has moved and is open, something else came first, and
  // may have ended by now. An epoch's first position does not count: a new run has taken the row in
  // order to archive it.
  const moved = (current: Job) =>
    current.n !== 0 && (current.epoch !== job.epoch || current.n !== job.n);
  const busy = (current: Job) =>
    !current.archivedAt && (rowStatus(current) === 'active' || moved(current));
  await tell(deps, job, 'archive');
  const after = await awaitJob(deps, projectId, jobId, {
    ms: EFFECT_MS,
    signal,
    enough: current => current.archivedAt !== null || busy(current),
  });
  if (busy(after)) throw active();
  return after;
}

function active(): Problem {
  return new Problem(
    'conflict',
    'The job is active; cancel it or wait until it has finished, then archive it.',
  );
}

/** `seen`: what the caller wants to end. */
async function tell(deps: AgentDeps, seen: Job, name: 'cancel' | 'archive'): Promise<void> {
  try {
    await signalEnd(deps.temporal, seen.id, name, seen);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    if (seen.state === 'starting') throw notStarted();
    await settleLostJob(deps.pool, seen.id, LOST_SENTENCE);
  }
}
