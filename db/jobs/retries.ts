import type { JobEvent } from '../../shared/jobs/job.ts';
import { type Pool, transaction } from '../pool.ts';
import { TOUCH_JOB } from './job.ts';
import { notifyStep } from './notifications.ts';

type Retry = Extract<JobEvent, { type: 'retry' }>;

/** Where a job's newest retries are: nothing but instructions can come in between. */
const LOOK_BACK = 20;

/**
 * Adds the event that an attempt failed, unless the newest one of the same step says the same. The
 * number of the attempt since which the reason is the same; nothing is added for a run that the job
 * does not belong to.
 */
export async function addRetryEvent(
  pool: Pool,
  jobId: string,
  runId: string,
  { type, ...retry }: Retry,
): Promise<number> {
  return transaction(pool, async tx => {
    const { rows: jobs } = await tx.query<{ lastEvent: number }>(
      'select last_event as "lastEvent" from jobs where id = $1 and run_id = $2 for update',
      [jobId, runId],
    );
    if (!jobs[0]) return retry.attempt;
    const { rows } = await tx.query<{ data: Omit<Retry, 'type'> }>(
      `select data from job_events where job_id = $1 and seq > $2 and type = 'retry'
        order by seq desc limit 1`,
      [jobId, jobs[0].lastEvent - LOOK_BACK],
    );
    const newest = rows[0]?.data;
    if (newest && isSame(newest, retry)) return newest.attempt;
    await tx.query('insert into job_events (job_id, seq, type, data) values ($1, $2, $3, $4)', [
      jobId,
      jobs[0].lastEvent + 1,
      type,
      retry,
    ]);
    await tx.query(
      `${TOUCH_JOB}, last_event = last_event + 1 where id = $1
        returning ${notifyStep('id', 'state')}`,
      [jobId],
    );
    return retry.attempt;
  });
}

/** Servers put times and ids of requests into what they say. */
function isSame(one: Omit<Retry, 'type'>, other: Omit<Retry, 'type'>): boolean {
  return (
    one.turn === other.turn &&
    one.step === other.step &&
    one.attempt <= other.attempt &&
    withoutNumbers(one.reason) === withoutNumbers(other.reason)
  );
}

function withoutNumbers(reason: string): string {
  return reason.replaceAll(/\S*\d\S*/g, '#');
}
