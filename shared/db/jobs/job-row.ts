import { jsonText } from '../json.ts';
import type { Transaction } from '../pool.ts';
import type { HaltReason, JobEvent, Todo } from '../../jobs/job.ts';

/** The columns of a job that its activities read. */
export interface JobRow {
  id: string;
  organization_id: string;
  project_id: string;
  api_key_id: string | null;
  state: 'starting' | 'active' | 'completed' | 'failed' | 'given_up';
  model: string;
  requested_model: string | null;
  prompt: string;
  title: string | null;
  host: 'local' | 'github';
  repository: string;
  repository_url: string;
  base_ref: string;
  branch: string;
  branch_named: boolean;
  as_draft: boolean;
  ref: string | null;
  pr_number: number | null;
  pr_link: string | null;
  todos: Todo[];
  workspace_head: string | null;
  run_id: string | null;
  epoch: number;
  n: number;
  archived_at: Date | null;
}

/** What an activity changes of the job's row. */
export interface JobChange {
  state?: 'active' | 'completed' | 'failed';
  model?: string;
  requested_model?: string;
  title?: string;
  branch?: string;
  ref?: string | null;
  pr_number?: number | null;
  pr_link?: string | null;
  halt_reason?: HaltReason | null;
  message_to_user?: string | null;
  todos?: Todo[];
  transcript_head?: string | null;
  workspace_head?: string | null;
  turns?: number;
  finished_at?: Date | null;
  archived_at?: Date | null;
}

const COLUMNS = [
  'state',
  'model',
  'requested_model',
  'title',
  'branch',
  'ref',
  'pr_number',
  'pr_link',
  'halt_reason',
  'message_to_user',
  'todos',
  'transcript_head',
  'workspace_head',
  'turns',
  'finished_at',
  'archived_at',
] as const satisfies readonly (keyof JobChange)[];

/**
 * Locks the job's row for this transaction and looks for the result that an earlier attempt of the
 * activity stored.
 */
export async function lockJob(
  tx: Transaction,
  jobId: string,
  runId: string,
  activityId: string,
): Promise<{ row: JobRow; stored: { result: unknown } | null } | null> {
  const { rows } = await tx.query<JobRow & { stored: { result: unknown } | null }>({
    name: 'lock-job',
    text: `select j.*, (select jsonb_build_object('result', r.result) from activity_results r
                        where r.run_id = $2 and r.activity_id = $3) as stored
           from jobs j where j.id = $1 for update of j`,
    values: [jobId, runId, activityId],
  });
  const [found] = rows;
  return found ? { row: found, stored: found.stored } : null;
}

/** Makes the run that continues `from` the row's owner, unless somebody else was quicker. */
export async function takeOver(
  tx: Transaction,
  jobId: string,
  from: string | null,
  runId: string,
): Promise<void> {
  await tx.query(
    `update jobs set run_id = $3, epoch = epoch + 1, n = 0, version = version + 1, updated_at = now()
     where id = $1 and run_id is not distinct from $2`,
    [jobId, from, runId],
  );
}

/**
 * The end of an activity, in one statement: the row moves on, the events are numbered under its
 * lock, the result is stored for a retry, and listeners hear of it when the transaction commits.
 */
export async function finishActivity(
  tx: Transaction,
  end: {
    jobId: string;
    runId: string;
    activityId: string;
    type: string;
    change: JobChange;
    events: JobEvent[];
    result: object;
  },
): Promise<{ epoch: number; n: number }> {
  const values: unknown[] = [
    end.jobId,
    end.runId,
    end.activityId,
    end.type,
    jsonText(end.result),
    jsonText(end.events),
  ];
  const sets = COLUMNS.filter(column => end.change[column] !== undefined).map(column => {
    const value = end.change[column];
    values.push(column === 'todos' ? jsonText(value) : value);
    return `${column} = $${values.length}`;
  });
  const { rows } = await tx.query<{ epoch: number; n: number }>(
    `with moved as (
       update jobs set n = n + 1, version = version + 1, updated_at = now(), last_event = last_event + jsonb_array_length($6::jsonb)
         ${sets.map(set => `, ${set}`).join('')}
       where id = $1 returning epoch, n, last_event
     ), told as (
       insert into job_events (job_id, seq, type, data)
       select $1, m.last_event - jsonb_array_length($6::jsonb) + e.position, e.event ->> 'type', e.event - 'type'
       from moved m, jsonb_array_elements($6::jsonb) with ordinality as e (event, position)
     ), kept as (
       insert into activity_results (run_id, activity_id, job_id, type, result)
       select $2, $3, $1, $4, $5::jsonb || jsonb_build_object('at', jsonb_build_object('epoch', m.epoch, 'n', m.n)) from moved m
     )
     select epoch, n, pg_notify('job_events', $1) from moved`,
    values,
  );
  const [at] = rows;
  if (!at) throw new Error('the job’s row is gone');
  return { epoch: at.epoch, n: at.n };
}
