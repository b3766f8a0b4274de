import { setTimeout as delay } from 'node:timers/promises';
import { findJob } from '../db/jobs/jobs.ts';
import type { Job } from '../db/jobs/job.ts';
import { Problem } from '../shared/errors.ts';
import { jobFieldsOf, type JobStatus, type JobView } from '../shared/jobs/job.ts';
import { isPlainId } from '../shared/ids.ts';
import type { JobsDeps } from './deps.ts';
import { followReset, wasReset } from './follow-reset.ts';
import type { JobReader } from './watch/job-feed.ts';
import { queryJob } from './workflow-client.ts';

/** A notification can be missed; a waiting request reads again after this long at the latest. */
const SAFETY_READ_MS = 5_000;
/** A running job changes many times per second; a waiting request need not see each change. */
const MIN_READ_INTERVAL_MS = 200;

/** The row of a project's job; throws 404. */
export async function requireJob(
  deps: Pick<JobsDeps, 'pool'>,
  projectId: string,
  jobId: string,
): Promise<Job> {
  const job = isPlainId(jobId) ? await findJob(deps.pool, projectId, jobId) : undefined;
  if (!job) throw new Problem('not_found', 'There is no such job.');
  return job;
}

export function rowStatus(job: Job): JobStatus {
  return job.state === 'completed' || job.state === 'failed' ? job.state : 'active';
}

/**
 * The job as its workflow reports it while it runs, or as its row has it if that is newer or the
 * workflow cannot answer. The row of an idle job is the answer: what wakes the job writes there
 * first, and a reset from outside is followed by the sweeper. Throws 404.
 */
export async function readJob(deps: JobsDeps, projectId: string, jobId: string): Promise<Job> {
  const row = await requireJob(deps, projectId, jobId);
  return rowStatus(row) === 'active' ? askWorkflow(deps, row) : row;
}

/** As `readJob`, and asks the workflow of an idle job too: for who is about to change it. */
export async function readJobNow(deps: JobsDeps, projectId: string, jobId: string): Promise<Job> {
  return askWorkflow(deps, await requireJob(deps, projectId, jobId));
}

async function askWorkflow(deps: JobsDeps, row: Job): Promise<Job> {
  if (row.archivedAt) return row; // the workflow has ended; nothing will change
  const view = await queryJob(deps.temporal, row.id);
  if (!view) return row;
  return wasReset(row, view) ? followReset(deps, row, view) : merge(row, view);
}

/** The newer of row and workflow, by (epoch, n). */
export function merge(row: Job, view: JobView): Job {
  if (view.epoch < row.epoch || (view.epoch === row.epoch && view.n < row.n)) return row;
  const level = view.epoch === row.epoch && view.n === row.n;
  const { model, title, branch, prLink, prNumber, ...fields } = jobFieldsOf(view);
  return {
    ...row,
    ...fields,
    epoch: view.epoch,
    n: view.n,
    // A follow-up marks the row active before its signal reaches the workflow; a caller that
    // read "active" must not read "completed" next.
    state: level && rowStatus(row) === 'active' ? 'active' : view.status,
    model: model ?? row.model,
    title: title ?? row.title,
    branch: branch ?? row.branch,
    prNumber: prNumber ?? row.prNumber,
    prLink: view.status === 'active' ? row.prLink : prLink,
    archivedAt: view.archivedAt === null ? null : new Date(view.archivedAt),
  };
}

interface AwaitOptions {
  ms: number;
  reader: JobReader;
  /** `enough` cannot become true while the job is running. */
  untilIdle?: boolean;
  enough: (job: Job) => boolean;
}

/**
 * Reads the job until `enough` is true, `ms` have passed or the caller has left; returns the last
 * reading. The row moves in the commit of every step, so that the workflow is asked at the end only:
 * a query costs it a task.
 */
export async function awaitJob(
  deps: JobsDeps,
  projectId: string,
  jobId: string,
  { ms, reader, untilIdle = false, enough }: AwaitOptions,
): Promise<Job> {
  const end = Date.now() + ms;
  const watch = deps.feed.watch(jobId, reader, { untilIdle });
  try {
    for (let isFirst = true; Date.now() < end; isFirst = false) {
      const job = await requireJob(deps, projectId, jobId);
      if (enough(job)) return job;
      const left = () => Math.max(0, end - Date.now());
      if (!isFirst) await delay(Math.min(MIN_READ_INTERVAL_MS, left()));
      if (!(await watch.next(Math.min(left(), SAFETY_READ_MS)))) return job;
    }
    return await readJob(deps, projectId, jobId);
  } finally {
    watch.stop();
  }
}
