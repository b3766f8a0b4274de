import type { Connection, Queryable } from '../pool.ts';

/**
 * The channel of what a model is saying right now. On the other one, `job_events`, the statements
 * that change a job notify its id, followed by ` active` if it is still running.
 */
export const DELTAS_CHANNEL = 'job_deltas';

const STILL_ACTIVE = ' active';

/** SQL that announces a change of a job; `id` and `state` are SQL expressions. */
export function notifyStep(id: string, state: string): string {
  const still = `case ${state} when 'active' then '${STILL_ACTIVE}' else '' end`;
  return `pg_notify('job_events', ${id} || ${still})`;
}

/** `isStep`: it has made a step and is still running. */
export function readNotification(payload: string): { jobId: string; isStep: boolean } {
  const isStep = payload.endsWith(STILL_ACTIVE);
  return { jobId: isStep ? payload.slice(0, -STILL_ACTIVE.length) : payload, isStep };
}

/** Makes a connection receive both channels. */
export async function listenToJobs(connection: Connection): Promise<void> {
  await connection.query('listen job_events; listen job_deltas');
}

/** `payload`: at most 8,000 bytes. */
export async function announceDelta(db: Queryable, payload: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [DELTAS_CHANNEL, payload]);
}
