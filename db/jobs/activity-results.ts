import { DatabaseError } from 'pg';
import { JOB_FIELDS, type JobEvent } from '../../shared/jobs/job.ts';
import { jsonText } from '../json.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { adder, type StatementPart } from '../statement-part.ts';
import { notifyStep } from './notifications.ts';
import { type Job, JOB_COLUMNS, jobColumns, TOUCH_JOB } from './job.ts';

const CHANGEABLE = [
  ...JOB_FIELDS,
  ...(['state', 'requestedModel', 'cancelled', 'turns', 'finishedAt', 'archivedAt'] as const),
] satisfies readonly (keyof Job)[];

/** What an activity changes in the job's row. */
export type JobChange = Partial<Pick<Job, (typeof CHANGEABLE)[number]>>;

/** Which activity asks, and a hash of what it was asked. */
export interface Asked {
  runId: string;
  activityId: string;
  inputHash: Buffer;
}

/** `isSame`: the result answers what is asked now, and not what another history asked. */
export interface StoredResult {
  isSame: boolean;
  result: unknown;
}

/**
 * Locks the job's row for this transaction and looks for a result that was stored under the
 * activity's id.
 */
export async function lockJob(
  tx: Transaction,
  jobId: string,
  { runId, activityId, inputHash }: Asked,
): Promise<{ row: Job; stored: StoredResult | null } | null> {
  const { rows } = await tx.query<Job & { stored: StoredResult | null }>({
    name: 'lock-job',
    text: `select ${jobColumns()},
                  (select jsonb_build_object(
                            'isSame', r.input_hash = $4, 'result', r.result)
                     from activity_results r
                    where r.run_id = $2 and r.activity_id = $3) as stored
             from jobs j where j.id = $1 for update of j`,
    values: [jobId, runId, activityId, inputHash],
  });
  const [found] = rows;
  return found ? { row: found, stored: found.stored } : null;
}

/**
 * Deletes the result under this activity's id, and those that its run stored later: they belong to
 * a history that Temporal no longer has.
 */
export async function deleteResultsSince(
  tx: Transaction,
  { runId, activityId }: Omit<Asked, 'inputHash'>,
): Promise<void> {
  await tx.query(
    `delete from activity_results later using activity_results first
      where first.run_id = $1 and first.activity_id = $2 and later.run_id = $1
        and later.created_at >= first.created_at`,
    [runId, activityId],
  );
}

/** Whether an error of `finishActivity` means that another attempt has stored its result. */
export function isDuplicateResult(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'activity_results_pkey';
}

/** Makes the run that continues `from` the row's owner, unless another run was quicker. */
export async function takeOver(
  tx: Transaction,
  jobId: string,
  from: string | null,
  runId: string,
): Promise<void> {
  await tx.query({
    name: 'take-over',
    text: `${TOUCH_JOB}, run_id = $3, epoch = epoch + 1, n = 0
            where id = $1 and run_id is not distinct from $2`,
    values: [jobId, from, runId],
  });
}

/** What an activity leaves behind, all in one commit. */
export interface ActivityEnd extends Asked {
  jobId: string;
  type: string;
  /** The row has no run yet; this one takes it. */
  begins: boolean;
  change: JobChange;
  events: JobEvent[];
  /** Of other tables. */
  parts: StatementPart[];
  result: object;
}

/**
 * The end of an activity, in one statement: the row moves on, the events are numbered under its
 * lock, the result is stored for a retry, and listeners hear of it when the transaction commits.
 * Undefined if the row does not belong to the run (any more): then nothing was changed. Rejects,
 * see `isDuplicateResult`, if there is a result under the activity's id.
 */
export async function finishActivity(
  db: Queryable,
  { jobId, runId, activityId, inputHash, type, begins, change, events, parts, result }: ActivityEnd,
): Promise<{ epoch: number; n: number } | undefined> {
  const values: unknown[] = [
    jobId,
    runId,
    activityId,
    type,
    jsonText(result),
    jsonText(events),
    inputHash,
  ];
  const { rows } = await db.query<{ epoch: number; n: number }>({
    name: statementName(begins ? 'begin' : 'finish', change, parts),
    text: `with moved as (
       ${TOUCH_JOB}, ${begins ? 'run_id = $2, epoch = epoch + 1, n = 1' : 'n = n + 1'},
              last_event = last_event + jsonb_array_length($6::jsonb)
         ${assignments(change, values)}
        where id = $1 and run_id ${begins ? 'is null' : '= $2'} returning epoch, n, last_event, state
     ), told as (
       insert into job_events (job_id, seq, type, data)
       select $1, m.last_event - jsonb_array_length($6::jsonb) + e.position,
              e.event ->> 'type', e.event - 'type'
         from moved m, jsonb_array_elements($6::jsonb) with ordinality as e (event, position)
     ), kept as (
       insert into activity_results (run_id, activity_id, job_id, type, result, input_hash)
       select $2, $3, $1, $4,
              $5::jsonb || jsonb_build_object(
                'at', jsonb_build_object('epoch', m.epoch, 'n', m.n)), $7
         from moved m
     )
     ${parts.map(({ text }, i) => `, part${i} as (${text(adder(values), 'from moved')})`).join('')}
     select epoch, n, ${notifyStep('$1', 'state')} from moved`,
    values,
  });
  return rows[0] && { epoch: rows[0].epoch, n: rows[0].n };
}

/**
 * A name for each set of changed members and parts, so that a connection plans its statement once.
 * Postgres cuts names at 63 bytes.
 */
function statementName(verb: string, change: JobChange, parts: StatementPart[]): string {
  const bits = CHANGEABLE.reduce(
    (sum, member, i) => sum + (change[member] === undefined ? 0 : 2 ** i),
    0,
  );
  return [verb, bits.toString(36), ...parts.map(({ name }) => name)].join('-');
}

/** `, title = $8, …` for the members that are given; adds their values. */
function assignments(change: JobChange, values: unknown[]): string {
  return CHANGEABLE.filter(member => change[member] !== undefined)
    .map(member => {
      values.push(member === 'todos' ? jsonText(change.todos) : change[member]);
      return `, ${JOB_COLUMNS[member]} = $${values.length}`;
    })
    .join('');
}
