import type { JobEvent } from '../job.ts';
import type { Queryable } from './pool.ts';

export interface StoredEvent {
  /** Counts from 1 within the job, without gaps. */
  seq: number;
  event: JobEvent;
  createdAt: Date;
}

/** A job's progress events after number `after`, oldest first. */
export async function readEvents(db: Queryable, jobId: string, after: number, limit: number): Promise<StoredEvent[]> {
  const { rows } = await db.query<StoredEvent>({
    name: 'read-events',
    text: `select seq, data || jsonb_build_object('type', type) as event, created_at as "createdAt"
             from job_events where job_id = $1 and seq > $2 order by seq limit $3`,
    values: [jobId, after, limit],
  });
  return rows;
}

/** The events of some types, oldest first: how a job's turns ended, and what was found. */
export async function readEventsOfTypes<T extends JobEvent['type']>(
  db: Queryable, jobId: string, types: readonly T[],
): Promise<{ event: Extract<JobEvent, { type: T }>; createdAt: Date }[]> {
  const { rows } = await db.query<{ event: Extract<JobEvent, { type: T }>; createdAt: Date }>(
    `select data || jsonb_build_object('type', type) as event, created_at as "createdAt"
       from job_events where job_id = $1 and type = any($2) order by seq`,
    [jobId, types],
  );
  return rows;
}
