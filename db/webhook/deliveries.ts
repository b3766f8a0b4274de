import type { HostKind } from '../../shared/host-kind.ts';
import { jsonText } from '../json.ts';
import type { Queryable } from '../pool.ts';

/** Records a delivery with what it asks for. False if all of it was done before. */
export async function takeDelivery(
  db: Queryable,
  host: HostKind,
  id: string,
  news: object,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'insert into github_deliveries (host, id, news) values ($1, $2, $3) on conflict do nothing',
    [host, id, jsonText(news)],
  );
  if (rowCount === 1) return true;
  const {
    rows: [before],
  } = await db.query<{ undone: boolean }>(
    'select news is not null as undone from github_deliveries where host = $1 and id = $2',
    [host, id],
  );
  return before?.undone ?? true;
}

/** Forgets up to `limit` deliveries that no host repeats any more. How many it were. */
export async function forgetDeliveries(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from github_deliveries where ctid = any(array(
       select ctid from github_deliveries where received_at < now() - interval '30 days'
        order by received_at limit $1))`,
    [limit],
  );
  return rowCount ?? 0;
}

/**
 * Forgets up to `limit` pull requests that ended more than so many days ago and that no job has any
 * more. How many it were.
 */
export async function forgetPullRequests(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from github_pull_requests where ctid = any(array(
       select ctid from github_pull_requests g
        where state <> 'open' and updated_at < now() - make_interval(days => $1)
          and (select true from jobs j
                where j.host = g.host and lower(j.repository) = g.repository
                  and j.pr_number = g.number limit 1) is null
        order by updated_at limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}

/** All that a delivery asked for is done. */
export async function finishDelivery(db: Queryable, host: HostKind, id: string): Promise<void> {
  await db.query('update github_deliveries set news = null where host = $1 and id = $2', [
    host,
    id,
  ]);
}

/**
 * The oldest delivery of the last day that nobody finished and that is due: a minute after it came,
 * then after twice the time, and so on. Who gets it here has it for a minute. Undefined if none
 * is due.
 */
export async function takeUndoneDelivery(
  db: Queryable,
  host: HostKind,
): Promise<{ id: string; news: unknown } | undefined> {
  const { rows } = await db.query<{ id: string; news: unknown }>(
    `with due as (
       select id from github_deliveries
        where host = $1 and news is not null and received_at > now() - interval '1 day'
          and tried_at < now() - greatest(interval '1 minute', tried_at - received_at)
        order by received_at limit 1 for update skip locked)
     update github_deliveries d set tried_at = now() from due where d.host = $1 and d.id = due.id
     returning d.id, d.news`,
    [host],
  );
  return rows[0];
}

/**
 * Forgets what nobody could finish within a day, and says what it was; should the host be made to
 * send it again, it counts as new.
 */
export async function giveUpDeliveries(
  db: Queryable,
  host: HostKind,
): Promise<{ id: string; news: unknown }[]> {
  const { rows } = await db.query<{ id: string; news: unknown }>(
    `delete from github_deliveries
      where host = $1 and news is not null and received_at <= now() - interval '1 day'
     returning id, news`,
    [host],
  );
  return rows;
}

/**
 * Notes the id of a repository that a project or a job knows by this name, which may be a former
 * one.
 */
export async function noteRepositoryName(
  db: Queryable,
  host: HostKind,
  name: string,
  id: number | null,
): Promise<void> {
  await db.query(
    `insert into github_repository_names (host, name, repository_id) values ($3, lower($1), $2)
     on conflict (host, name) do update set repository_id = excluded.repository_id, checked_at = now()
       where excluded.repository_id is not null or github_repository_names.repository_id is null`,
    [name, id, host],
  );
}

/**
 * The names, in lower case, by which a repository may be known here: its present one and those from
 * before it was renamed or transferred.
 */
export async function repositoryNames(
  db: Queryable,
  host: HostKind,
  repository: { id: number; full_name: string },
): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name from github_repository_names where host = $3 and repository_id = $1
      union select lower($2)`,
    [repository.id, repository.full_name, host],
  );
  return rows.map(({ name }) => name);
}

/**
 * Names of projects' repositories of which nobody knows the id; those that its host did not tell come
 * up again after a day.
 */
export async function unknownRepositoryNames(db: Queryable, kind: HostKind): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select distinct lower(p.repository) as name from projects p
       left join github_repository_names n
              on n.host = p.host and n.name = lower(p.repository)
      where p.host = $1 and p.deleted_at is null and n.repository_id is null
        and (n.name is null or n.checked_at < now() - interval '1 day')`,
    [kind],
  );
  return rows.map(({ name }) => name);
}

/**
 * The projects whose sites are built from a branch of a host; `names` of the repository in lower
 * case.
 */
export async function projectsBuiltFrom(
  db: Queryable,
  kind: HostKind,
  names: readonly string[],
  branch: string,
): Promise<{ id: string; domain: string }[]> {
  const { rows } = await db.query<{ id: string; domain: string }>(
    `select id, domain from projects
      where host = $3 and lower(repository) = any($1) and base_ref = $2
        and deleted_at is null`,
    [names, branch, kind],
  );
  return rows;
}

/**
 * Notes what became of a pull request; news that is older than what is known (deliveries overtake
 * each other) changes nothing. Hosts' times are whole seconds: of one second, its end counts more
 * than its other changes (a label, a title).
 */
export async function notePullRequest(
  db: Queryable,
  host: HostKind,
  news: {
    names: readonly string[];
    number: number;
    state: 'open' | 'merged' | 'closed';
    at: string;
  },
): Promise<void> {
  await db.query(
    `insert into github_pull_requests (host, repository, number, state, updated_at)
     select $5, name, $2, $3, $4 from unnest($1::text[]) as name order by name
     on conflict (host, repository, number) do update
        set state = excluded.state, updated_at = excluded.updated_at
      where (github_pull_requests.updated_at, github_pull_requests.state <> 'open')
            <= (excluded.updated_at, excluded.state <> 'open')`,
    [news.names, news.number, news.state, news.at, host],
  );
}

export interface CommentedJob {
  jobId: string;
  projectId: string;
  organizationId: string;
  /** As the project names it. */
  repository: string;
}

/** The job whose newest pull request this is; `names` of the repository in lower case. */
export async function jobOfPullRequest(
  db: Queryable,
  kind: HostKind,
  names: readonly string[],
  number: number,
): Promise<CommentedJob | undefined> {
  const { rows } = await db.query<CommentedJob>(
    `select j.id as "jobId", j.project_id as "projectId", j.organization_id as "organizationId",
            j.repository
       from jobs j join projects p on p.id = j.project_id
      where j.host = $3 and lower(j.repository) = any($1) and j.pr_number = $2
        and j.archived_at is null and p.deleted_at is null
      order by j.created_at desc limit 1`,
    [names, number, kind],
  );
  return rows[0];
}
