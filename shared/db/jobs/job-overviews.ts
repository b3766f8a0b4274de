import type { Queryable } from '../pool.ts';

/** A job as the dashboard lists it. */
export interface JobOverview {
  id: string;
  state: 'starting' | 'active' | 'completed' | 'failed';
  title: string | null;
  prompt: string;
  branch: string;
  prLink: string | null;
  prNumber: number | null;
  model: string;
  generation: 'v1' | 'v2';
  host: 'local' | 'github';
  userName: string | null;
  keyName: string | null;
  turns: number;
  costMicroUsd: number;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
  archivedAt: Date | null;
}

export interface JobFilter {
  status?: 'active' | 'completed' | 'failed';
  /** Words that title, prompt or branch hold; or an id. */
  search?: string;
  /** Id of the last job of the page before. */
  after?: string;
  id?: string;
  limit: number;
}

/** A project's jobs, newest first. */
export async function listJobOverviews(
  db: Queryable,
  projectId: string,
  filter: JobFilter,
): Promise<JobOverview[]> {
  const { status, search, after, id, limit } = filter;
  const states =
    status === 'active'
      ? ['starting', 'active']
      : status
        ? [status]
        : ['starting', 'active', 'completed', 'failed'];
  const pattern = search === undefined ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const { rows } = await db.query<JobOverview>(
    `select j.id, j.state, j.title, left(j.prompt, 300) as prompt, j.branch, j.pr_link as "prLink", j.pr_number as "prNumber", j.model,
            j.generation, j.host, u.name as "userName", k.name as "keyName", j.turns, j.cost_microusd as "costMicroUsd",
            j.created_at as "createdAt", j.updated_at as "updatedAt", j.finished_at as "finishedAt", j.archived_at as "archivedAt"
       from jobs j left join users u on u.id = j.user_id left join api_keys k on k.id = j.api_key_id
      where j.project_id = $1 and j.state = any($2) and ($3::text is null or j.id = $3)
        and ($4::text is null or j.id = $5 or j.title ilike $4 or j.prompt ilike $4 or j.branch ilike $4)
        and ($6::text is null or (j.created_at, j.id) < (select created_at, id from jobs where id = $6 and project_id = $1))
      order by j.created_at desc, j.id desc limit $7`,
    [projectId, states, id ?? null, pattern, search ?? null, after ?? null, limit],
  );
  return rows;
}
