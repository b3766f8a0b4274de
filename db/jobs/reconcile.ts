import type { HostKind } from '../../shared/host-kind.ts';
import type { Author } from '../../shared/jobs/commit-author.ts';
import type { Queryable } from '../pool.ts';
import { type Job, jobColumns } from './job.ts';

/** Ids of all jobs that are not archived, oldest first. */
export async function openJobIds(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from jobs where archived_at is null and state <> 'given_up' order by created_at, id`,
  );
  return rows.map(({ id }) => id);
}

/** Whether the rows that a workflow refers to are here; null refers to none. */
export async function hasHeads(
  db: Queryable,
  heads: { transcriptHead: string | null; workspaceHead: string | null },
): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    `select ($1::text is null or exists (select from transcript_entries where id = $1))
        and ($2::text is null or exists (select from workspace_revisions where id = $2)) as has`,
    [heads.transcriptHead, heads.workspaceHead],
  );
  return rows[0]!.has;
}

/** A repository that jobs or projects work on, with a base branch to compare others with. */
export interface UsedRepository {
  host: HostKind;
  repository: string;
  baseRef: string;
  /** Whom its projects name as author of commits, or have named, beside Docent. */
  authors: Author[];
}

export async function usedRepositories(db: Queryable): Promise<UsedRepository[]> {
  const { rows } = await db.query<UsedRepository>(
    `select p.host, p.repository, min(p.base_ref) as "baseRef",
            (select coalesce(jsonb_agg(distinct author), '[]')
               from (select o.settings -> 'commitAuthor' as author from projects o
                      where o.host = p.host and o.repository = p.repository
                     union all
                     select c.author from publications c join jobs j on j.id = c.job_id
                      where j.host = p.host and j.repository = p.repository) named
              where jsonb_typeof(author) = 'object') as authors
       from projects p
      where p.deleted_at is null group by 1, 2 order by 1, 2`,
  );
  return rows;
}

/** The commits that jobs have planned in a repository. */
export async function plannedCommits(
  db: Queryable,
  { host, repository }: UsedRepository,
): Promise<Set<string>> {
  const { rows } = await db.query<{ commit: string }>(
    `select p.commit from publications p join jobs j on j.id = p.job_id
      where j.host = $1 and j.repository = $2`,
    [host, repository],
  );
  return new Set(rows.map(({ commit }) => commit));
}

/** The open jobs that have pushed a branch to a repository. */
export async function pushedJobs(
  db: Queryable,
  { host, repository }: UsedRepository,
): Promise<(Job & { ref: string })[]> {
  const { rows } = await db.query<Job & { ref: string }>(
    `select ${jobColumns()} from jobs j
      where host = $1 and repository = $2 and ref is not null and archived_at is null
        and state <> 'given_up' order by created_at, id`,
    [host, repository],
  );
  return rows;
}
