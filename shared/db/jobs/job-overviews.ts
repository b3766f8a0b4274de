import type { Outcome } from '../../dashboard/jobs.ts';
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
  'callsWithoutPrice',
  'callsOfUnknownCost',
  'createdAt',
  'updatedAt',
  'finishedAt',
  'archivedAt',
] as const satisfies readonly (keyof Job)[];

/** A job as the dashboard lists it. */
export interface JobOverview extends Pick<Job, (typeof SHOWN)[number]> {
  state: 'starting' | 'active' | 'completed' | 'failed';
  outcome: Outcome;
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

/**
 * A pull request that nobody told about counts as open. A turn that called neither `finish` nor
 * changed anything only answered, unless the policy refused what it would have changed.
 */
const OUTCOME = `case
  when j.state in ('starting', 'active') then 'active'
  when j.state = 'failed' then case when j.cancelled then 'cancelled' else 'failed' end
  when j.pr_number is not null then coalesce(
    (select p.state from hosted_pull_requests p
      where p.host = j.host and p.repository = j.repository and p.number = j.pr_number),
    (select p.state from github_pull_requests p
      where j.host = 'github' and p.repository = lower(j.repository) and p.number = j.pr_number),
    'open')
  when not j.publishes then 'unpublished'
  when exists (
    select 1 from job_events e
     where e.job_id = j.id and e.type = 'tool_result' and e.data ? 'refusedBy'
       and (e.data ->> 'turn')::integer = j.turns)
    then 'refused'
  when exists (
    select 1 from job_events e
     where e.job_id = j.id and e.type = 'tool_result' and e.data ->> 'toolName' = 'finish'
       and (e.data ->> 'turn')::integer = j.turns and not (e.data ->> 'isError')::boolean)
    then 'no_change'
  else 'declined' end`;

/** A project's jobs, newest first. */
export async function listJobOverviews(
  db: Queryable,
  projectId: string,
  filter: JobFilter,
): Promise<JobOverview[]> {
  const { status, search, after, id, limit } = filter;
  const { rows } = await db.query<JobOverview>(
    `select ${jobColumns(SHOWN)}, j.state, ${OUTCOME} as outcome,
            left(j.prompt, 300) as prompt,
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
