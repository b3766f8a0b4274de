import type { JobEvent } from '../../shared/jobs/job.ts';
import type { Queryable } from '../pool.ts';

export interface StoredEvent {
  /** Counts from 1 within the job, without gaps. */
  seq: number;
  event: JobEvent;
  /** When it was stored: Unix milliseconds. */
  at: number;
}

export interface Progress {
  /** Nothing more will come until a follow-up. */
  resting: boolean;
  /** Number of the newest event. */
  lastEvent: number;
  events: StoredEvent[];
}

/**
 * A job's progress events after number `after`, oldest first, and where the job stood when they
 * were read. Undefined without the job.
 */
export async function readProgress(
  db: Queryable,
  jobId: string,
  after: number,
  limit: number,
): Promise<Progress | undefined> {
  const { rows } = await db.query<Progress>({
    name: 'read-progress',
    text: `select j.state not in ('starting', 'active') as resting, j.last_event as "lastEvent",
                  coalesce((select jsonb_agg(
                                     jsonb_build_object('seq', e.seq, 'event',
                                       e.data || jsonb_build_object('type', e.type),
                                       'at', floor(extract(epoch from e.created_at) * 1000))
                                     order by e.seq)
                              from (select seq, type, data, created_at from job_events
                                     where job_id = j.id and seq > $2
                                     order by seq limit $3) e), '[]') as events
             from jobs j where j.id = $1`,
    values: [jobId, after, limit],
  });
  return rows[0];
}

/** The events of some types, oldest first: how a job's turns ended, and what was found. */
export async function readEventsOfTypes<T extends JobEvent['type']>(
  db: Queryable,
  jobId: string,
  types: readonly T[],
): Promise<{ event: Extract<JobEvent, { type: T }>; createdAt: Date }[]> {
  const { rows } = await db.query<{ event: Extract<JobEvent, { type: T }>; createdAt: Date }>(
    `select data || jsonb_build_object('type', type) as event, created_at as "createdAt"
       from job_events where job_id = $1 and type = any($2) order by seq`,
    [jobId, types],
  );
  return rows;
}

/** When the job's newest event was stored; undefined without one. */
export async function lastEventAt(db: Queryable, jobId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ at: Date }>(
    'select created_at as at from job_events where job_id = $1 order by seq desc limit 1',
    [jobId],
  );
  return rows[0]?.at;
}
