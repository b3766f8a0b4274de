import type { HostKind } from '../../shared/host-kind.ts';
import type { Queryable, Transaction } from '../pool.ts';

export interface LocalPullRequestRow {
  repository: string;
  number: number;
  token: string;
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  state: 'open' | 'merged' | 'closed';
  head_commit: string;
  base_commit: string;
  merge_commit: string | null;
  job_id: string | null;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
}

export interface NewLocalPullRequest {
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  jobId?: string;
}

/**
 * Those of a repository's branches whose pull request of a job was merged, the job is deleted, and
 * nothing else is known to use the branch; with the commit that was merged.
 */
export async function mergedBranchesWithoutJob(
  db: Queryable,
  kind: HostKind,
  repository: string,
  branches: readonly string[],
): Promise<{ branch: string; base: string; commit: string }[]> {
  const { rows } = await db.query<{ branch: string; base: string; commit: string }>(
    `select p.head as branch, p.base, p.head_commit as commit
       from local_pull_requests p join local_repositories r on r.name = p.repository
      where p.repository = $2 and p.head = any($3) and p.state = 'merged' and p.job_id is not null
        and p.head <> all(r.protected || r.default_branch)
        and not exists (select from jobs j where j.id = p.job_id)
        and not exists (select from local_pull_requests o
                         where o.repository = p.repository and o.state = 'open'
                           and p.head in (o.head, o.base))
        and not exists (select from projects o
                         where o.host = $1 and o.repository = p.repository
                           and o.base_ref = p.head and o.deleted_at is null)
        and not exists (select from jobs j where j.host = $1 and j.repository = p.repository
                                             and j.branch = p.head)
        and not exists (select from jobs j where j.host = $1 and j.repository = p.repository
                                             and j.base_ref = p.head)`,
    [kind, repository, branches],
  );
  return rows;
}

/**
 * The open pull request of that head branch is returned if there is one; numbers count up within
 * the repository.
 */
export async function insertPullRequest(
  tx: Transaction,
  repository: string,
  input: NewLocalPullRequest,
  at: { token: string; headCommit: string; baseCommit: string },
): Promise<LocalPullRequestRow> {
  await tx.query('select 1 from local_repositories where name = $1 for update', [repository]);
  const {
    rows: [open],
  } = await tx.query<LocalPullRequestRow>(
    `select * from local_pull_requests where repository = $1 and head = $2 and state = 'open'`,
    [repository, input.head],
  );
  if (open) return open;
  const {
    rows: [row],
  } = await tx.query<LocalPullRequestRow>(
    `insert into local_pull_requests (repository, number, token, title, body, head, base, draft,
                                      head_commit, base_commit, job_id)
     select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10
       from local_pull_requests where repository = $1
     returning *`,
    [
      repository,
      at.token,
      input.title,
      input.body,
      input.head,
      input.base,
      input.draft,
      at.headCommit,
      at.baseCommit,
      input.jobId ?? null,
    ],
  );
  return row as LocalPullRequestRow;
}

/** Newest first; of one head branch if it is given. */
export async function selectPullRequests(
  db: Queryable,
  repository: string,
  filter: { head?: string } = {},
): Promise<LocalPullRequestRow[]> {
  const { rows } = await db.query<LocalPullRequestRow>({
    name: 'list-local-pull-requests',
    text: `select * from local_pull_requests where repository = $1 and ($2::text is null or head = $2)
            order by number desc limit 100`,
    values: [repository, filter.head ?? null],
  });
  return rows;
}

/** Those that were merged into a branch since a time, oldest first, at most 100. */
export async function mergedPullRequests(
  db: Queryable,
  repository: string,
  base: string,
  since: Date,
): Promise<LocalPullRequestRow[]> {
  const { rows } = await db.query<LocalPullRequestRow>(
    `select * from local_pull_requests
      where repository = $1 and base = $2 and state = 'merged' and closed_at >= $3
      order by closed_at, number limit 100`,
    [repository, base, since],
  );
  return rows;
}

/** A page of a repository's, newest first: those of a state, below a number. */
export async function pageOfPullRequests(
  db: Queryable,
  repository: string,
  page: { state?: string | undefined; before?: number | undefined; limit: number },
): Promise<LocalPullRequestRow[]> {
  const { rows } = await db.query<LocalPullRequestRow>(
    `select * from local_pull_requests
      where repository = $1 and ($2::text is null or state = $2)
        and ($3::integer is null or number < $3)
      order by number desc limit $4`,
    [repository, page.state ?? null, page.before ?? null, page.limit],
  );
  return rows;
}

export async function findPullRequest(
  db: Queryable,
  repository: string,
  number: number,
): Promise<LocalPullRequestRow | undefined> {
  const { rows } = await db.query<LocalPullRequestRow>(
    'select * from local_pull_requests where repository = $1 and number = $2',
    [repository, number],
  );
  return rows[0];
}

export async function findPullRequestByToken(
  db: Queryable,
  token: string,
): Promise<LocalPullRequestRow | undefined> {
  const { rows } = await db.query<LocalPullRequestRow>(
    'select * from local_pull_requests where token = $1',
    [token],
  );
  return rows[0];
}

export async function changePullRequest(
  db: Queryable,
  repository: string,
  number: number,
  change: Partial<Pick<NewLocalPullRequest, 'title' | 'body' | 'draft'>>,
): Promise<LocalPullRequestRow | undefined> {
  const { rows } = await db.query<LocalPullRequestRow>(
    `update local_pull_requests
        set title = coalesce($3, title), body = coalesce($4, body),
            draft = coalesce($5, draft), updated_at = now()
      where repository = $1 and number = $2 returning *`,
    [repository, number, change.title ?? null, change.body ?? null, change.draft ?? null],
  );
  return rows[0];
}

/** What the branches of an open pull request say now. */
export async function recordHead(
  db: Queryable,
  row: LocalPullRequestRow,
  headCommit: string,
  baseCommit: string,
): Promise<void> {
  await db.query(
    `update local_pull_requests set head_commit = $3, base_commit = $4, updated_at = now()
      where repository = $1 and number = $2 and state = 'open'`,
    [row.repository, row.number, headCommit, baseCommit],
  );
}

/**
 * Ends an open pull request; returns the row as it is then, ended by us or by another before us.
 */
export async function endPullRequest(
  db: Queryable,
  row: LocalPullRequestRow,
  end: { state: 'merged' | 'closed'; mergeCommit: string | null },
): Promise<LocalPullRequestRow | undefined> {
  await db.query(
    `update local_pull_requests
        set state = $3, merge_commit = $4, updated_at = now(), closed_at = now()
      where repository = $1 and number = $2 and state = 'open'`,
    [row.repository, row.number, end.state, end.mergeCommit],
  );
  return await findPullRequest(db, row.repository, row.number);
}
