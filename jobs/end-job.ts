import { WorkflowNotFoundError } from '@temporalio/client';
import type { Job } from '../db/jobs/job.ts';
import type { EpochSignal } from '../shared/jobs/signals.ts';
import { settleLostJob } from '../db/jobs/lost-jobs.ts';
import { Problem } from '../shared/errors.ts';
import type { JobsDeps } from './deps.ts';
import { awaitJob, readJobNow, rowStatus } from './read-job.ts';
import { LOST_SENTENCE, notStarted } from './send-message.ts';
import { restartIfLost } from './lost-workflow.ts';
import { isBehind } from './older-history.ts';
import type { JobReader } from './watch/job-feed.ts';
import { queryJob, signalEnd } from './workflow-client.ts';

/** How long the response waits for the workflow; without a worker it reports the job as it is. */
const EFFECT_MS = 5_000;

/**
 * Ends the current turn. An idle job stays as it is. A workflow ignores what is meant for another
 * epoch, and its first activity begins one: if that came between, the job is asked again.
 */
export async function cancelJob(
  deps: JobsDeps,
  projectId: string,
  jobId: string,
  reader: JobReader,
): Promise<Job> {
  const isActive = (job: Job) => rowStatus(job) === 'active';
  let job = await readJobNow(deps, projectId, jobId);
  const end = Date.now() + EFFECT_MS;
  for (;;) {
    if (!isActive(job)) return job;
    const { epoch } = job;
    await tell(deps, job, 'cancel');
    job = await awaitJob(deps, projectId, jobId, {
      ms: end - Date.now(),
      reader,
      enough: current => !isActive(current) || current.epoch !== epoch,
    });
    if (job.epoch === epoch) return job;
  }
}

/**
 * Archives an idle job. Throws 409 if it is active, or becomes active before it is archived. Doing
 * it twice changes nothing.
 */
export async function archiveJob(
  deps: JobsDeps,
  projectId: string,
  jobId: string,
  reader: JobReader,
): Promise<Job> {
  const job = await readJobNow(deps, projectId, jobId);
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
    reader,
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

/**
 * Where the workflow knows the job to be. It may be one activity behind the row, and more only after
 * a restore of Temporal: then it would ignore what is meant for the row.
 */
async function stampFor(deps: JobsDeps, seen: Job): Promise<EpochSignal> {
  const view = await queryJob(deps.temporal, seen.id);
  const { epoch, n } = view?.runId === seen.runId && isBehind(seen, view) ? view : seen;
  return { epoch, n };
}

/** `seen`: what the caller wants to end. */
async function tell(deps: JobsDeps, seen: Job, name: 'cancel' | 'archive'): Promise<void> {
  const at = await stampFor(deps, seen);
  const signal = () => signalEnd(deps.temporal, seen.id, name, at);
  try {
    await signal().catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      if (!(await restartIfLost(deps, seen.id, seen))) throw error;
      await signal();
    });
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    if (seen.state === 'starting') throw notStarted();
    await settleLostJob(deps.pool, seen.id, LOST_SENTENCE);
  }
}
