import type { Queryable } from '../pool.ts';
import { containsPattern } from '../text-search.ts';
import { type Job, jobColumns, statesOf } from './job.ts';

const SHOWN = [
  'id',
  'title',
  'branch',
  'prLink',
  'prNumber',
  'model',
  'generation',
  'host',
  'turns',
  'costMicroUsd',
  'createdAt',
  'updatedAt',
  'finishedAt',
  'archivedAt',
] as const satisfies readonly (keyof Job)[];

/** A job as the dashboard lists it. */
export interface JobOverview extends Pick<Job, (typeof SHOWN)[number]> {
  state: 'starting' | 'active' | 'completed' | 'failed';
  /** Its beginning. */
  prompt: string;
  userName: string | null;
  keyName: string | null;
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
  const { rows } = await db.query<JobOverview>(
    `select ${jobColumns(SHOWN)}, j.state, left(j.prompt, 300) as prompt,
            u.name as "userName", k.name as "keyName"
       from jobs j
       left join users u on u.id = j.user_id
       left join api_keys k on k.id = j.api_key_id
      where j.project_id = $1 and j.state = any($2) and ($3::text is null or j.id = $3)
        and ($4::text is null or j.id = $5 or j.title ilike $4 or j.prompt ilike $4
             or j.branch ilike $4)
        and ($6::text is null
             or (j.created_at, j.id) <
                (select created_at, id from jobs where id = $6 and project_id = $1))
      order by j.created_at desc, j.id desc limit $7`,
    [
      projectId,
      statesOf(status),
      id ?? null,
      containsPattern(search),
      search ?? null,
      after ?? null,
      limit,
    ],
  );
  return rows;
}
