import type { JobEvent } from '../../shared/jobs/job.ts';
import { type Pool, type Queryable, transaction } from '../pool.ts';
import { releaseBranches } from './branch-holds.ts';
import { dropWaiting } from './instructions.ts';
import { type Job, TOUCH_JOB } from './job.ts';

/**
 * Settles a job whose workflow has ended without a report: what was running failed, and no more
 * instructions are accepted.
 */
export async function settleLostJob(pool: Pool, jobId: string, message: string): Promise<boolean> {
  return transaction(pool, async tx => {
    const {
      rows: [job],
    } = await tx.query<Pick<Job, 'turns' | 'prLink'> & { live: boolean }>(
      `select state in ('starting', 'active') as live, turns, pr_link as "prLink" from jobs
        where id = $1 and archived_at is null and state <> 'given_up' for update`,
      [jobId],
    );
    if (!job) return false;
    if (job.live) {
      const finish: JobEvent = {
        type: 'finish',
        status: 'failed',
        haltReason: 'error',
        messageToUser: message,
        prLink: job.prLink,
        outcome: 'failed',
        code: 'workflow_ended',
        turn: job.turns,
      };
      const { type, ...data } = finish;
      await tx.query(
        `with moved as (
           update jobs
              set state = 'failed', halt_reason = 'error', message_to_user = $2,
                  finished_at = now(), last_event = last_event + 1
            where id = $1 returning last_event)
         insert into job_events (job_id, seq, type, data)
         select $1, last_event, $3, $4 from moved`,
        [jobId, message, type, data],
      );
    }
    await dropWaiting(tx, jobId, null);
    await releaseBranches(tx, jobId);
    await tx.query(
      `${TOUCH_JOB}, archived_at = now() where id = $1 returning pg_notify('job_events', id)`,
      [jobId],
    );
    return true;
  });
}

export interface StaleJob extends Pick<Job, 'id'> {
  state: 'starting' | 'active';
  /**
   * Instructions that were stored a minute ago or more and are not read yet. If there are none, but
   * a turn has ended: the one withdrawn last. The turn's report saw it waiting, and its signal
   * lets the workflow find that there is nothing to do.
   */
  waiting: { messageId: string; prompt: string }[];
}

const MESSAGE = `jsonb_build_object('messageId', i.message_id, 'prompt', left(i.prompt, 200))`;

/**
 * Live jobs whose rows have not changed for a minute: busy with something long, or left behind by a
 * crash.
 */
export async function findStaleJobs(db: Queryable, limit: number): Promise<StaleJob[]> {
  const { rows } = await db.query<StaleJob>(
    `select j.id, j.state,
            coalesce((select jsonb_agg(${MESSAGE} order by i.seq)
                        from instructions i
                       where i.job_id = j.id and i.state = 'waiting'
                         and i.created_at < now() - interval '1 minute'),
                     (select jsonb_build_array(${MESSAGE})
                        from instructions i
                       where i.job_id = j.id and i.state = 'withdrawn'
                         and j.finished_at is not null
                       order by i.seq desc limit 1),
                     '[]') as waiting
       from jobs j
      where j.state in ('starting', 'active') and j.archived_at is null
        and j.updated_at < now() - interval '1 minute'
      order by j.updated_at limit $1`,
    [limit],
  );
  return rows;
}

/** Those of the jobs that are not archived, whatever else they are. */
export async function unarchivedJobs(db: Queryable, jobIds: string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from jobs where id = any($1) and archived_at is null and state <> 'given_up'`,
    [jobIds],
  );
  return rows.map(row => row.id);
}
