import type { HaltReason, Todo } from '../../jobs/job.ts';
import type { Queryable, Transaction } from '../pool.ts';

/**
 * A job's row, as the API reads it. The workflow's activities write it
 * (job-row.ts beside this file).
 */
export interface Job {
  id: string;
  organizationId: string;
  projectId: string;
  /** The key that made it; null where a user of the dashboard did. */
  apiKeyId: string | null;
  generation: 'v1' | 'v2';
  state: 'starting' | 'active' | 'completed' | 'failed' | 'given_up';
  model: string;
  prompt: string;
  title: string | null;
  host: 'local' | 'github';
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  branch: string;
  asDraft: boolean;
  /** The branch once it is pushed. */
  ref: string | null;
  prLink: string | null;
  haltReason: HaltReason | null;
  messageToUser: string | null;
  todos: Todo[];
  transcriptHead: string | null;
  workspaceHead: string | null;
  turns: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicroUsd: number;
  /** Number of the newest progress event. */
  lastEvent: number;
  userId: string | null;
  /** The run of its workflow that may write this row; null until there is one. */
  runId: string | null;
  epoch: number;
  n: number;
  version: number;
  createdAt: Date;
  archivedAt: Date | null;
}

const COLUMNS = `id, organization_id as "organizationId", project_id as "projectId", api_key_id as "apiKeyId", generation, state, model, prompt, title,
  host, repository, repository_url as "repositoryUrl", base_ref as "baseRef", branch, as_draft as "asDraft", ref,
  pr_link as "prLink", halt_reason as "haltReason", message_to_user as "messageToUser", todos,
  transcript_head as "transcriptHead", workspace_head as "workspaceHead", turns,
  input_tokens as "inputTokens", output_tokens as "outputTokens", cache_read_tokens as "cacheReadTokens",
  cache_write_tokens as "cacheWriteTokens", cost_microusd as "costMicroUsd", last_event as "lastEvent",
  user_id as "userId", run_id as "runId", epoch, n, version, created_at as "createdAt", archived_at as "archivedAt"`;

export interface NewJob {
  id: string;
  organizationId: string;
  projectId: string;
  /** Who asked for it: a key, or a user of the dashboard. */
  apiKeyId: string | null;
  userId: string | null;
  generation: 'v1' | 'v2';
  model: string;
  prompt: string;
  host: 'local' | 'github';
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  branch: string;
  /** The caller chose the branch. */
  branchNamed: boolean;
  asDraft: boolean;
}

/** Adds a job in state `starting`: shown as active, not yet known to Temporal. */
export async function insertJob(tx: Transaction, job: NewJob): Promise<void> {
  await tx.query(
    `insert into jobs (id, organization_id, project_id, api_key_id, generation, model, prompt, host, repository,
                       repository_url, base_ref, branch, branch_named, as_draft, user_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      job.id,
      job.organizationId,
      job.projectId,
      job.apiKeyId,
      job.generation,
      job.model,
      job.prompt,
      job.host,
      job.repository,
      job.repositoryUrl,
      job.baseRef,
      job.branch,
      job.branchNamed,
      job.asDraft,
      job.userId,
    ],
  );
}

/** A project's job; one that was given up is as unknown as one that never was. */
export async function findJob(
  db: Queryable,
  projectId: string,
  jobId: string,
): Promise<Job | undefined> {
  const { rows } = await db.query<Job>({
    name: 'find-job',
    text: `select ${COLUMNS} from jobs where id = $1 and project_id = $2 and state <> 'given_up'`,
    values: [jobId, projectId],
  });
  return rows[0];
}

/** As `findJob`, and locks the row until the transaction ends. */
export async function lockProjectJob(
  tx: Transaction,
  projectId: string,
  jobId: string,
): Promise<Job | undefined> {
  const { rows } = await tx.query<Job>(
    `select ${COLUMNS} from jobs where id = $1 and project_id = $2 and state <> 'given_up' for update`,
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
}

/** A project's jobs, newest first. */
export async function listJobs(db: Queryable, projectId: string, page: JobPage): Promise<Job[]> {
  const states =
    page.status === 'active'
      ? ['starting', 'active']
      : page.status
        ? [page.status]
        : ['starting', 'active', 'completed', 'failed'];
  const { rows } = await db.query<Job>(
    `select ${COLUMNS} from jobs
      where project_id = $1 and state = any($2)
        and ($3::text is null or (created_at, id) < (select created_at, id from jobs where id = $3 and project_id = $1))
      order by created_at desc, id desc limit $4 offset $5`,
    [projectId, states, page.after ?? null, page.limit ?? null, page.skip ?? 0],
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
 * Millionths of a US dollar that an organization's agent jobs, or those of one of its keys, have
 * cost in this UTC calendar month, and when it ends (s from now).
 */
export async function monthlyCost(
  db: Queryable,
  organizationId: string,
  apiKeyId?: string,
): Promise<{ microUsd: number; secondsLeft: number }> {
  const { rows } = await db.query<{ microUsd: number; secondsLeft: number }>(
    `select coalesce(sum(cost_microusd), 0)::bigint as "microUsd",
            ceil(extract(epoch from date_trunc('month', now(), 'UTC') + interval '1 month' - now()))::int as "secondsLeft"
       from model_calls
      where organization_id = $1 and ($2::text is null or api_key_id = $2) and purpose = 'agent' and started_at >= date_trunc('month', now(), 'UTC')`,
    [organizationId, apiKeyId ?? null],
  );
  return rows[0]!;
}

/**
 * Takes a branch for a job, or says which other job holds it. A hold whose job has come to rest
 * without an open pull request is stale and gives way.
 */
export async function holdBranch(
  tx: Transaction,
  repositoryUrl: string,
  branch: string,
  jobId: string,
): Promise<string | undefined> {
  await tx.query(
    `delete from branch_holds h using jobs j
      where h.repository_url = $1 and h.branch = $2 and j.id = h.job_id and j.id <> $3
        and j.state not in ('starting', 'active')
        and case j.host
              when 'local' then not exists (select 1 from local_pull_requests p where p.repository = j.repository and p.head = h.branch and p.state = 'open')
              else j.pr_link is null or j.archived_at is not null or exists (
                select 1 from github_pull_requests p where p.repository = lower(j.repository) and p.number = j.pr_number and p.state <> 'open')
            end`,
    [repositoryUrl, branch, jobId],
  );
  await tx.query(
    'insert into branch_holds (repository_url, branch, job_id) values ($1, $2, $3) on conflict do nothing',
    [repositoryUrl, branch, jobId],
  );
  const { rows } = await tx.query<{ holder: string }>(
    'select job_id as holder from branch_holds where repository_url = $1 and branch = $2',
    [repositoryUrl, branch],
  );
  return rows[0]?.holder === jobId ? undefined : rows[0]?.holder;
}

/**
 * Gives up a job whose workflow could not be started. False where the workflow did begin: its first
 * activity was quicker.
 */
export async function giveUpJob(tx: Transaction, jobId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update jobs set state = 'given_up', version = version + 1, updated_at = now() where id = $1 and state = 'starting'`,
    [jobId],
  );
  if (rowCount === 0) return false;
  await tx.query('delete from branch_holds where job_id = $1', [jobId]);
  await tx.query('delete from idempotency_keys where job_id = $1 and message_id is null', [jobId]);
  return true;
}

/**
 * Marks a locked, resting job active because an instruction was stored; returns the row's new
 * version.
 */
export async function markActive(tx: Transaction, jobId: string): Promise<number> {
  const { rows } = await tx.query<{ version: number }>(
    `update jobs set state = 'active', version = version + 1, updated_at = now() where id = $1 returning version, pg_notify('job_events', id)`,
    [jobId],
  );
  return rows[0]!.version;
}

/** Takes `markActive` back, unless something has moved the row since. */
export async function unmarkActive(
  tx: Transaction,
  jobId: string,
  version: number,
  state: Job['state'],
): Promise<void> {
  await tx.query(
    `update jobs set state = $3, version = version + 1, updated_at = now()
      where id = $1 and version = $2 and state = 'active' returning pg_notify('job_events', id)`,
    [jobId, version, state],
  );
}
