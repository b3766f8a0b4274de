import type { Queryable, Transaction } from '../pool.ts';
import type { StatementPart } from '../statement-part.ts';

/**
 * Holds a branch for a new job, or returns the job that holds it. A hold whose job is idle without
 * an open pull request is stale and is removed.
 */
export async function claimBranch(
  tx: Transaction,
  repositoryUrl: string,
  branch: string,
  jobId: string,
): Promise<string | undefined> {
  await tx.query({
    name: 'release-idle-branch-hold',
    text: `delete from branch_holds h using jobs j
            where h.repository_url = $1 and h.branch = $2 and j.id = h.job_id and j.id <> $3
              and j.state not in ('starting', 'active')
              and not exists (
                select 1 from branch_holds_in_review r
                 where r.repository_url = h.repository_url and r.branch = h.branch)`,
    values: [repositoryUrl, branch, jobId],
  });
  await tx.query({
    name: 'insert-branch-hold',
    text: `insert into branch_holds (repository_url, branch, job_id) values ($1, $2, $3)
           on conflict do nothing`,
    values: [repositoryUrl, branch, jobId],
  });
  const { rows } = await tx.query<{ holder: string }>(
    'select job_id as holder from branch_holds where repository_url = $1 and branch = $2',
    [repositoryUrl, branch],
  );
  return rows[0]?.holder === jobId ? undefined : rows[0]?.holder;
}

/** What moves the job's hold to another branch of the same repository. */
export function branchHold(jobId: string, repositoryUrl: string, branch: string): StatementPart[] {
  const leave: StatementPart['text'] = (value, from) =>
    `delete from branch_holds h ${from.replace('from', 'using')}
      where h.job_id = ${value(jobId, 'text')} and h.branch <> ${value(branch, 'text')}`;
  const take: StatementPart['text'] = (value, from) =>
    `insert into branch_holds (repository_url, branch, job_id)
     select ${value(repositoryUrl, 'text')}, ${value(branch, 'text')}, ${value(jobId, 'text')} ${from}
     on conflict do nothing`;
  return [
    { name: 'leave-branch', text: leave },
    { name: 'take-branch', text: take },
  ];
}

export async function releaseBranches(tx: Queryable, jobId: string): Promise<void> {
  await tx.query('delete from branch_holds where job_id = $1', [jobId]);
}
