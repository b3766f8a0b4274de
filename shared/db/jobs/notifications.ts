import type { Connection, Queryable } from '../pool.ts';

/**
 * The channel of what a model is saying right now. On the other one, `job_events`, the statements
 * that change a job notify its id.
 */
export const DELTAS_CHANNEL = 'job_deltas';

/** Makes a connection receive both channels. */
export async function listenToJobs(connection: Connection): Promise<void> {
  await connection.query('listen job_events; listen job_deltas');
}

/** `payload`: at most 8,000 bytes. */
export async function announceDelta(db: Queryable, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [DELTAS_CHANNEL, payload]);
}
