import { DatabaseError } from 'pg';
import type { JobEvent } from '../../jobs/job.ts';
import { jsonText } from '../json.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { type Job, JOB_COLUMNS, jobColumns, TOUCH_JOB } from './job.ts';

const CHANGEABLE = [
  'state',
  'model',
  'requestedModel',
  'title',
  'branch',
  'ref',
  'prNumber',
  'prLink',
  'haltReason',
  'messageToUser',
  'cancelled',
  'todos',
  'transcriptHead',
  'workspaceHead',
  'turns',
  'finishedAt',
  'archivedAt',
] as const satisfies readonly (keyof Job)[];

/** What an activity changes in the job's row. */
export type JobChange = Partial<Pick<Job, (typeof CHANGEABLE)[number]>>;

/**
 * Locks the job's row for this transaction and looks for the result that an earlier attempt of the
 * activity stored.
 */
export async function lockJob(
  tx: Transaction,
  jobId: string,
  runId: string,
  activityId: string,
): Promise<{ row: Job; stored: { result: unknown } | null } | null> {
  const { rows } = await tx.query<Job & { stored: { result: unknown } | null }>({
    name: 'lock-job',
    text: `select ${jobColumns()},
                  (select jsonb_build_object('result', r.result) from activity_results r
                    where r.run_id = $2 and r.activity_id = $3) as stored
             from jobs j where j.id = $1 for update of j`,
    values: [jobId, runId, activityId],
  });
  const [found] = rows;
  return found ? { row: found, stored: found.stored } : null;
}

/** The result that an earlier attempt stored. */
export async function findActivityResult<R>(
  db: Queryable,
  runId: string,
  activityId: string,
): Promise<R | undefined> {
  const { rows } = await db.query<{ result: R }>(
    'select result from activity_results where run_id = $1 and activity_id = $2',
    [runId, activityId],
  );
  return rows[0]?.result;
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
  await tx.query(
    `${TOUCH_JOB}, run_id = $3, epoch = epoch + 1, n = 0
      where id = $1 and run_id is not distinct from $2`,
    [jobId, from, runId],
  );
}

/** What an activity leaves behind, all in one commit. */
export interface ActivityEnd {
  jobId: string;
  runId: string;
  activityId: string;
  type: string;
  change: JobChange;
  events: JobEvent[];
  result: object;
}

/**
 * The end of an activity, in one statement: the row moves on, the events are numbered under its
 * lock, the result is stored for a retry, and listeners hear of it when the transaction commits.
 */
export async function finishActivity(
  tx: Transaction,
  end: ActivityEnd,
): Promise<{ epoch: number; n: number }> {
  const { jobId, runId, activityId, type } = end;
  const values: unknown[] = [
    jobId,
    runId,
    activityId,
    type,
    jsonText(end.result),
    jsonText(end.events),
  ];
  const { rows } = await tx.query<{ epoch: number; n: number }>(
    `with moved as (
       ${TOUCH_JOB}, n = n + 1, last_event = last_event + jsonb_array_length($6::jsonb)
         ${assignments(end.change, values)}
        where id = $1 returning epoch, n, last_event
     ), told as (
       insert into job_events (job_id, seq, type, data)
       select $1, m.last_event - jsonb_array_length($6::jsonb) + e.position,
              e.event ->> 'type', e.event - 'type'
         from moved m, jsonb_array_elements($6::jsonb) with ordinality as e (event, position)
     ), kept as (
       insert into activity_results (run_id, activity_id, job_id, type, result)
       select $2, $3, $1, $4,
              $5::jsonb || jsonb_build_object(
                'at', jsonb_build_object('epoch', m.epoch, 'n', m.n))
         from moved m
     )
     select epoch, n, pg_notify('job_events', $1) from moved`,
    values,
  );
  const [at] = rows;
  if (!at) throw new Error('the job’s row is gone');
  return { epoch: at.epoch, n: at.n };
}

/** `, title = $7, …` for the members that are given; adds their values. */
function assignments(change: JobChange, values: unknown[]): string {
  return CHANGEABLE.filter(member => change[member] !== undefined)
    .map(member => {
      values.push(member === 'todos' ? jsonText(change.todos) : change[member]);
      return `, ${JOB_COLUMNS[member]} = $${values.length}`;
    })
    .join('');
}
