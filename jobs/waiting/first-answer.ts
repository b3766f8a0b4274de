import { findJob } from '../../db/jobs/jobs.ts';
import type { Job } from '../../db/jobs/job.ts';
import { Problem } from '../../shared/errors.ts';
import type { WaitingFor } from '../../shared/jobs/waiting.ts';
import type { JobsDeps } from '../deps.ts';
import { queryJob } from '../workflow-client.ts';

/** What an answer is meant for. */
export interface MeantFor {
  /** Left out: whatever the job waits for. */
  waitingFor?: WaitingFor;
  /** The turn that asked; left out: the newest. */
  turn?: number | undefined;
}

/** What an idle job waits for, by its row. */
export function waitingFor(
  job: Pick<Job, 'state' | 'archivedAt' | 'waitingFor'>,
): WaitingFor | null {
  const isIdle = job.state === 'completed' || job.state === 'failed';
  return isIdle && job.archivedAt === null ? job.waitingFor : null;
}

/** The job does not wait for what was answered, or not any more. */
export class NotWaiting extends Problem {
  constructor(detail: string) {
    super('conflict', detail);
  }
}

/** Throws 409 if the job, whose row is locked, does not wait for this. */
export function refuseOthers(job: Job, meant: MeantFor, isAnswered: boolean): void {
  const waits = waitingFor(job);
  if (job.state === 'active' || isAnswered)
    throw new NotWaiting('Someone else answered first: the job continues already.');
  if (!waits || (meant.waitingFor && meant.waitingFor !== waits))
    throw new NotWaiting(`The job does not wait for ${meant.waitingFor ?? 'an answer'}.`);
  const { turn = job.turns } = meant;
  if (turn > job.turns)
    throw new NotWaiting(`The job does not wait for turn ${turn} yet, but for turn ${job.turns}.`);
  if (turn < job.turns)
    throw new NotWaiting(`The job waits for something newer by now: that of turn ${job.turns}.`);
}

/** Whether a script’s signal has answered, which the row does not tell yet. */
export async function wasAnswered(
  { pool, temporal }: Pick<JobsDeps, 'pool' | 'temporal'>,
  projectId: string,
  jobId: string,
): Promise<boolean> {
  const job = await findJob(pool, projectId, jobId);
  if (!job || !waitingFor(job)) return false;
  const view = await queryJob(temporal, jobId);
  // One that is a moment behind the row does not know yet that it waits.
  if (view?.runId !== job.runId || view.epoch !== job.epoch || view.n < job.n) return false;
  return view.status === 'active' || view.queue > 0;
}
