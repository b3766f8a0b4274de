import type { FailureCode } from '../../shared/jobs/failures.ts';
import type { Outcome } from './outcome.ts';
import type { Queryable } from '../pool.ts';
import { containsPattern } from '../text-search.ts';
import { type Job, jobColumns, statesOf } from './job.ts';

const SHOWN = [
  'id',
  'projectId',
  'title',
  'branch',
  'prLink',
  'previewUrl',
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
  'waitingFor',
] as const satisfies readonly (keyof Job)[];

/** Filters by what no person started. */
const BY_KEY = 'key';

/** A job as the dashboard lists it. */
export interface JobOverview extends Pick<Job, (typeof SHOWN)[number]> {
  state: 'starting' | 'active' | 'completed' | 'failed';
  outcome: Outcome;
  /** How many problems the checks left in what it has on its branch. */
  problems: number;
  /** Its beginning. */
  prompt: string;
  userName: string | null;
  keyName: string | null;
  automationName: string | null;
  projectDomain: string;
}

/** Whose jobs: those of a project, or of all projects of an organization. */
export type JobScope = { projectId: string } | { organizationId: string };

export interface JobFilter {
  status?: 'active' | 'completed' | 'failed';
  outcome?: Outcome;
  /** Words that title, prompt or branch hold; or an id. */
  search?: string;
  /** Id of the user who started it; `key`: a script did, with an API key. */
  person?: string;
  /** The model that answered. */
  model?: string;
  /** Created then or later; as ISO 8601. */
  since?: string;
  /** Created before. */
  until?: string;
  pullRequest?: number;
  archived?: boolean;
  /** Whether they wait for a person. */
  waits?: boolean;
  /** Id of the last job of the page before. */
  after?: string;
  id?: string;
  limit: number;
}

/** The end of the last turn; a rewound one has several. */
const ended = (member: string) => `(
    select e.data ->> '${member}' from job_events e
     where e.job_id = j.id and e.type = 'finish' and (e.data ->> 'turn')::integer = j.turns
     order by e.seq desc limit 1)`;

/** A pull request that nobody told about counts as open. */
export const OUTCOME = `case
  when j.state in ('starting', 'active') then 'active'
  when j.state = 'failed' then case when j.cancelled then 'cancelled' else 'failed' end
  when j.pr_number is not null then coalesce(
    (select p.state from hosted_pull_requests p
      where p.host = j.host and p.repository = j.repository and p.number = j.pr_number),
    (select p.state from github_pull_requests p
      where j.host = 'github' and p.repository = lower(j.repository) and p.number = j.pr_number),
    'open')
  when not j.publishes then 'unpublished'
  else coalesce(${ended('outcome')}, 'answered') end`;
const PROBLEMS = `coalesce(
    (select jsonb_array_length(w.findings) from publications w
      where w.job_id = j.id and w.state in ('pushed', 'published') order by w.id desc limit 1), 0)`;
/** Why the last turn failed; null if it did not. */
const FAILURE_CODE = `case when j.state = 'failed' then ${ended('code')} end`;

const AUTOMATION = `(
    select a.name from automation_runs r join automations a on a.id = r.automation_id
     where r.job_id = j.id limit 1)`;

/** What a job that matches an outcome is by its row alone. */
function statesOfOutcome(outcome: Outcome | undefined): Job['state'][] {
  if (outcome === undefined) return statesOf(undefined);
  if (outcome === 'active') return statesOf('active');
  return outcome === 'failed' || outcome === 'cancelled' ? ['failed'] : ['completed'];
}

function parametersOf(scope: JobScope, filter: JobFilter): unknown[] {
  const { status, outcome, search, person } = filter;
  const ofOutcome = statesOfOutcome(outcome);
  return [
    'projectId' in scope ? scope.projectId : null,
    'organizationId' in scope ? scope.organizationId : null,
    statesOf(status).filter(state => ofOutcome.includes(state)),
    filter.id ?? null,
    containsPattern(search),
    search ?? null,
    filter.after ?? null,
    outcome ?? null,
    person === undefined || person === BY_KEY ? null : person,
    person === BY_KEY,
    filter.model ?? null,
    // A day that its month does not have is one of the next.
    filter.since === undefined ? null : new Date(filter.since),
    filter.until === undefined ? null : new Date(filter.until),
    filter.pullRequest ?? null,
    filter.archived ?? null,
    filter.limit,
    filter.waits ?? null,
  ];
}

/** Jobs, newest first. */
export async function listJobOverviews(
  db: Queryable,
  scope: JobScope,
  filter: JobFilter,
): Promise<JobOverview[]> {
  const { rows } = await db.query<JobOverview>(
    `select ${jobColumns(SHOWN)}, j.state, ${OUTCOME} as outcome,
            ${PROBLEMS} as problems,
            left(j.prompt, 300) as prompt,
            u.name as "userName", k.name as "keyName",
            case when u.id is null and k.id is null then ${AUTOMATION} end as "automationName",
            p.domain as "projectDomain"
       from jobs j
       join projects p on p.id = j.project_id
       left join users u on u.id = j.user_id
       left join api_keys k on k.id = j.api_key_id
      where ($1::text is null or j.project_id = $1)
        and ($2::text is null or j.organization_id = $2 and p.deleted_at is null)
        and j.state = any($3) and ($4::text is null or j.id = $4)
        and ($5::text is null or j.id = $6 or j.title ilike $5 or j.prompt ilike $5
             or j.branch ilike $5)
        and ($7::text is null
             or (j.created_at, j.id) <
                (select created_at, id from jobs
                  where id = $7 and (project_id = $1 or organization_id = $2)))
        and ($8::text is null or ${OUTCOME} = $8)
        and ($9::text is null or j.user_id = $9)
        and (not $10::boolean or j.user_id is null)
        and ($11::text is null or j.model = $11)
        and ($12::timestamptz is null or j.created_at >= $12)
        and ($13::timestamptz is null or j.created_at < $13)
        and ($14::integer is null or j.pr_number = $14)
        and ($15::boolean is null or (j.archived_at is not null) = $15)
        and ($17::boolean is null or $17 = (j.waiting_for is not null and j.state in ('completed', 'failed')))
      order by j.created_at desc, j.id desc limit $16`,
    parametersOf(scope, filter),
  );
  return rows;
}

/** What came of each of these jobs, by id. */
export async function readOutcomes(
  db: Queryable,
  jobIds: readonly string[],
): Promise<Map<string, { outcome: Outcome; code: FailureCode | null }>> {
  const { rows } = await db.query<{ id: string; outcome: Outcome; code: FailureCode | null }>(
    `select j.id, ${OUTCOME} as outcome, ${FAILURE_CODE} as code from jobs j where j.id = any($1)`,
    [jobIds],
  );
  return new Map(rows.map(({ id, ...rest }) => [id, rest]));
}

/** What an organization's jobs can be filtered by. */
export interface JobFilterOptions {
  people: { id: string; name: string }[];
  models: string[];
}

/** People who started jobs, and models that answered: each by a step from one to the next. */
export async function readJobFilterOptions(
  db: Queryable,
  organizationId: string,
): Promise<JobFilterOptions> {
  const distinct = (column: 'user_id' | 'model') =>
    `with recursive found as (
       (select ${column} as value from jobs
         where organization_id = $1 and ${column} is not null order by ${column} limit 1)
       union all
       select (select j.${column} from jobs j
                where j.organization_id = $1 and j.${column} > found.value
                order by j.${column} limit 1)
         from found where found.value is not null)`;
  const people = await db.query<{ id: string; name: string }>(
    `${distinct('user_id')}
     select u.id, u.name from found join users u on u.id = found.value order by u.name, u.id`,
    [organizationId],
  );
  const models = await db.query<{ value: string }>(
    `${distinct('model')} select value from found where value is not null order by value`,
    [organizationId],
  );
  return { people: people.rows, models: models.rows.map(({ value }) => value) };
}
