import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { TextDelta } from '../../shared/jobs/job.ts';
import { holdRows } from '../holder.ts';
import type { Connection, Queryable } from '../pool.ts';

/**
 * The channel of what a model is saying right now. On the other one, `job_events`, each statement
 * that changes a job notifies its id; an activity that leaves the job running adds ` active`.
 */
export const DELTAS_CHANNEL = 'job_deltas';

const STILL_ACTIVE = ' active';

/** SQL that announces the end of an activity; `id` and `state` are SQL expressions. */
export function notifyStep(id: string, state: string): string {
  const still = `case ${state} when 'active' then '${STILL_ACTIVE}' else '' end`;
  return `pg_notify('job_events', ${id} || ${still})`;
}

/** `isStep`: an activity has ended and the job is still running. */
export function readNotification(payload: string): { jobId: string; isStep: boolean } {
  const isStep = payload.endsWith(STILL_ACTIVE);
  return { jobId: isStep ? payload.slice(0, -STILL_ACTIVE.length) : payload, isStep };
}

/** Makes a connection receive both channels; while it lasts, this process counts as alive. */
export async function listenToJobs(connection: Connection): Promise<void> {
  await holdRows(connection);
  await connection.query('listen job_events; listen job_deltas');
}

const Delta = Type.Object({
  jobId: Type.String(),
  turn: Type.Number(),
  step: Type.Number(),
  attempt: Type.Number(),
  text: Type.String(),
  tokens: Type.Number({ default: 0 }),
});

/** With its job, at most 8,000 bytes. */
export async function announceDelta(db: Queryable, delta: Static<typeof Delta>): Promise<void> {
  await db.query('select pg_notify($1, $2)', [DELTAS_CHANNEL, JSON.stringify(delta)]);
}

/** Undefined for what no release sends: anybody who may connect can notify. */
export function readDelta(payload: string): { jobId: string; delta: TextDelta } | undefined {
  try {
    const { jobId, ...delta } = Value.Parse(Delta, JSON.parse(payload));
    return { jobId, delta: { type: 'text_delta', ...delta } };
  } catch {
    return undefined;
  }
}
