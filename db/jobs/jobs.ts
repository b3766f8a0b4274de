import { OUTCOME } from './job-overviews.ts';
import type { Outcome } from './outcome.ts';
import type { Queryable, Transaction } from '../pool.ts';
import { MOST_FORMS } from '../../shared/jobs/construct.ts';
import { releaseBranches } from './branch-holds.ts';
import { type Job, JOB_COLUMNS, jobColumns, statesOf, TOUCH_JOB } from './job.ts';

const NEW = [
  'id',
  'organizationId',
  'projectId',
  'apiKeyId',
  'userId',
  'generation',
  'model',
  'prompt',
  'host',
  'repository',
  'repositoryUrl',
  'baseRef',
  'branch',
  'branchNamed',
  'asDraft',
  'publishes',
  'effort',
  'budgetMicroUsd',
] as const satisfies readonly (keyof Job)[];

export type NewJob = Pick<Job, (typeof NEW)[number]>;

/** Adds a job in state `starting`: shown as active, not yet known to Temporal. */
export async function insertJob(tx: Transaction, job: NewJob): Promise<void> {
  await tx.query({
    name: 'insert-job',
    text: `insert into jobs (${NEW.map(member => JOB_COLUMNS[member]).join(', ')})
     values (${NEW.map((_, i) => `$${i + 1}`).join(', ')})`,
    values: NEW.map(member => job[member]),
  });
}

/** A project's job; one that was given up is as unknown as one that never was. */
export async function findJob(
  db: Queryable,
  projectId: string,
  jobId: string,
): Promise<Job | undefined> {
  const { rows } = await db.query<Job>({
    name: 'find-job',
    text: `select ${jobColumns()}
             from jobs j where id = $1 and project_id = $2 and state <> 'given_up'`,
    values: [jobId, projectId],
  });
  return rows[0];
}

/** A job of any project. */
export async function jobById(db: Queryable, jobId: string): Promise<Job | undefined> {
  const { rows } = await db.query<Job>(
    `select ${jobColumns()} from jobs j where id = $1 and state <> 'given_up'`,
    [jobId],
  );
  return rows[0];
}

/** As `findJob`, and locks the row until the transaction ends. */
export async function lockProjectJob(
  tx: Transaction,
  projectId: string,
  jobId: string,
): Promise<Job | undefined> {
  const { rows } = await tx.query<Job>(
    `select ${jobColumns()}
       from jobs j where id = $1 and project_id = $2 and state <> 'given_up' for update`,
    [jobId, projectId],
  );
  return rows[0];
}

export interface JobPage {
  /** All of them without it. */
  limit?: number;
  /** Id of the last job of the page before. */
  after?: string;
  skip?: number;
  status?: 'active' | 'completed' | 'failed';
  /** Only with one of these. */
  outcomes?: Outcome[];
}

/** A project's jobs, newest first. */
export async function listJobs(db: Queryable, projectId: string, page: JobPage): Promise<Job[]> {
  const { rows } = await db.query<Job>(
    `select ${jobColumns()}
       from jobs j
      where project_id = $1 and state = any($2)
        and ($3::text is null
             or (created_at, id) <
                (select created_at, id from jobs where id = $3 and project_id = $1))
        and ($6::text[] is null or ${OUTCOME} = any($6))
      order by created_at desc, id desc limit $4 offset $5`,
    [
      projectId,
      statesOf(page.status),
      page.after ?? null,
      page.limit ?? null,
      page.skip ?? 0,
      page.outcomes ?? null,
    ],
  );
  return rows;
}

/**
 * Locks the project for creates, so that a limit on its jobs holds under concurrency, and counts
 * the active ones.
 */
export async function countActiveJobs(tx: Transaction, projectId: string): Promise<number> {
  await tx.query('select 1 from projects where id = $1 for no key update', [projectId]);
  const { rows } = await tx.query<{ count: number }>(
    `select count(*) from jobs where project_id = $1 and state in ('starting', 'active')`,
    [projectId],
  );
  return rows[0]!.count;
}

/**
 * Gives up a job whose workflow could not be started. False if the workflow did begin: its first
 * activity was quicker.
 */
export async function giveUpJob(tx: Transaction, jobId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `${TOUCH_JOB}, state = 'given_up' where id = $1 and state = 'starting'`,
    [jobId],
  );
  if (rowCount === 0) return false;
  await releaseBranches(tx, jobId);
  await tx.query('delete from idempotency_keys where job_id = $1 and message_id is null', [jobId]);
  return true;
}

/**
 * Marks a locked, idle job active because an instruction was stored; returns the row's new
 * version.
 */
export async function markActive(tx: Transaction, jobId: string): Promise<number> {
  const { rows } = await tx.query<Pick<Job, 'version'>>(
    `${TOUCH_JOB}, state = 'active'
      where id = $1 returning version, pg_notify('job_events', id)`,
    [jobId],
  );
  return rows[0]!.version;
}

/** Reverts `markActive`, unless something has changed the row since. */
export async function unmarkActive(
  tx: Transaction,
  jobId: string,
  version: number,
  state: Job['state'],
): Promise<void> {
  await tx.query(
    `${TOUCH_JOB}, state = $3
      where id = $1 and version = $2 and state = 'active' returning pg_notify('job_events', id)`,
    [jobId, version, state],
  );
}

/**
 * An instruction was withdrawn: a job that was active only for it, and perhaps for others that were
 * withdrawn before it, rests again as its last turn ended. A turn that runs, and another instruction
 * that waits, keep it active. So does a turn whose report saw an instruction waiting: its workflow
 * is active until a sweep tells it (`findStaleJobs`).
 */
export async function restAgain(tx: Transaction, jobId: string): Promise<void> {
  await tx.query(
    `${TOUCH_JOB}, state = case halt_reason when 'completed' then 'completed' else 'failed' end
      where id = $1 and state = 'active' and finished_at is not null
        and not exists (select from instructions where job_id = $1 and state = 'waiting')
        and (select result ->> 'status' from activity_results r
              where r.run_id = j.run_id and r.type = 'reportTurn'
              order by (result -> 'at' ->> 'epoch')::int desc, (result -> 'at' ->> 'n')::int desc
              limit 1) is distinct from 'active'
      returning pg_notify('job_events', id)`,
    [jobId],
  );
}

/** What a job may cost from now on. */
export async function setBudget(
  tx: Transaction,
  jobId: string,
  budgetMicroUsd: number,
): Promise<void> {
  await tx.query(`${TOUCH_JOB}, budget_microusd = $2 where id = $1`, [jobId, budgetMicroUsd]);
}

/** What a job may cost beyond what it has cost. */
export async function setBudgetOfNext(
  tx: Transaction,
  jobId: string,
  budgetMicroUsd: number,
): Promise<void> {
  await tx.query(
    `${TOUCH_JOB}, budget_microusd = cost_microusd + $2 where id = $1
        and budget_microusd is distinct from cost_microusd + $2`,
    [jobId, budgetMicroUsd],
  );
}

/** Allows forms to a job, and with `project` to its project from now on: the newest are kept. */
export async function allowForms(
  tx: Transaction,
  jobId: string,
  forms: readonly string[],
  scope: 'job' | 'project',
): Promise<void> {
  const added = (column: string) => `(
    select coalesce(jsonb_agg(form order by newest), '[]') from (
      select form, max(position) as newest
        from jsonb_array_elements_text(${column} || $2::jsonb) with ordinality as f (form, position)
       group by form order by newest desc limit ${MOST_FORMS}) known)`;
  const values = [jobId, JSON.stringify(forms)];
  await tx.query(`${TOUCH_JOB}, allowed_forms = ${added('j.allowed_forms')} where id = $1`, values);
  if (scope === 'project')
    await tx.query(
      `update projects p set settings = p.settings || jsonb_build_object('allowedForms',
                ${added("coalesce(p.settings -> 'allowedForms', '[]')")})
        where id = (select project_id from jobs where id = $1)`,
      values,
    );
}
