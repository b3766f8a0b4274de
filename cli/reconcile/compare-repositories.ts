import { BRANCH_PREFIX } from '../../jobs/branch-name.ts';
import type { HostedCommit, PullRequest, RepositoryHost } from '../../hosts/host.ts';
import { RepositoryError } from '../../hosts/repository-error.ts';
import { holdJob, noteFoundPullRequest } from '../../db/jobs/found-work.ts';
import type { Job } from '../../db/jobs/job.ts';
import { jobById } from '../../db/jobs/jobs.ts';
import { plannedCommits, pushedJobs, type UsedRepository } from '../../db/jobs/reconcile.ts';
import { transaction } from '../../db/pool.ts';
import { jobOfCommit } from '../../shared/jobs/job-trailer.ts';
import { counted } from '../../shared/text/counted.ts';
import type { Difference, ReconcileDeps } from './difference.ts';

/** What the branches and pull requests of a repository say that our rows do not, and the reverse. */
export async function compareRepository(
  deps: ReconcileDeps,
  host: RepositoryHost,
  used: UsedRepository,
): Promise<Difference[]> {
  try {
    const branches = await host.branches(used, BRANCH_PREFIX);
    return [
      ...(await newerBranches(deps, host, used, branches)),
      ...(await pushedBranches(deps, host, used, branches)),
    ];
  } catch (error) {
    if (!(error instanceof RepositoryError)) throw error;
    return [
      {
        ...{ kind: 'repository-unreadable', job: null, isOpen: true },
        says: `${used.repository} cannot be read: ${error.message}`,
        remedy: 'See that the host can be reached, then try again.',
      },
    ];
  }
}

/** Branches with commits that jobs made and no row knows. */
async function newerBranches(
  deps: ReconcileDeps,
  host: RepositoryHost,
  used: UsedRepository,
  branches: ReadonlyMap<string, string>,
): Promise<Difference[]> {
  const known = await plannedCommits(deps.pool, used);
  const unknown = [...branches].filter(([, head]) => !known.has(head));
  if (unknown.length === 0) return [];
  const base = await host.resolveBranch(used, used.baseRef);
  const found: Difference[] = [];
  if (base === null) return []; // nothing to compare with: every turn fails, and says so
  for (const [branch, head] of unknown) {
    const own = await host.ownCommits(used, base, head, used.authors);
    const newer = own.filter(({ commit }) => !known.has(commit));
    if (newer.length > 0)
      found.push(await describeNewer(deps, host, { used, branch, commits: newer }));
  }
  return found;
}

async function describeNewer(
  { pool }: ReconcileDeps,
  host: RepositoryHost,
  at: { used: UsedRepository; branch: string; commits: HostedCommit[] },
): Promise<Difference> {
  const { used, branch, commits } = at;
  const job = jobOfCommit(commits[0]?.message ?? '') ?? null;
  const row = job === null ? undefined : await jobById(pool, job);
  const pull = (await host.findPullRequests(used, branch)).find(({ state }) => state === 'open');
  const shown = pull ? `, with pull request #${pull.number}` : '';
  const says =
    `${branch} in ${used.repository}${shown} has ${counted(commits.length, 'commit')} ` +
    `that Postgres does not know: made after the backup.`;
  return { kind: 'commits-after-backup', job, says, ...whatFollows(row) };
}

/** What becomes of commits that were made after the backup. */
function whatFollows(row: Job | undefined): Pick<Difference, 'remedy' | 'isOpen'> {
  if (!row)
    return {
      remedy:
        'Its job was created after the backup and is gone. ' +
        'Merge the branch or delete it, and create the job again if need be.',
      isOpen: true,
    };
  if (row.archivedAt || row.state === 'completed' || row.state === 'failed')
    return {
      remedy:
        'They carry out follow-ups that were lost with the backup. The next follow-up takes ' +
        'them back, so send those again, or merge the branch first.',
      isOpen: true,
    };
  return { remedy: 'The job finds them by itself and continues from there.' };
}

/** Branches and pull requests that our rows name. */
async function pushedBranches(
  deps: ReconcileDeps,
  host: RepositoryHost,
  used: UsedRepository,
  branches: ReadonlyMap<string, string>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const row of await pushedJobs(deps.pool, used)) {
    const difference =
      row.prNumber === null
        ? await compareUnshown(deps, host, row)
        : branches.has(row.ref)
          ? undefined
          : await compareUnfound(host, row, row.prNumber);
    if (difference) found.push(difference);
  }
  return found;
}

/** The branch of an idle job whose row shows no pull request. */
async function compareUnshown(
  { pool }: ReconcileDeps,
  host: RepositoryHost,
  row: Job & { ref: string },
): Promise<Difference | undefined> {
  if (row.state !== 'completed' && row.state !== 'failed') return undefined; // about to open one
  const pull = (await host.findPullRequests(row, row.ref)).find(({ state }) => state === 'open');
  if (!pull) return undefined;
  return {
    ...{ kind: 'pull-request-missing', job: row.id },
    says: `${row.ref} has pull request #${pull.number}, which its row does not show.`,
    remedy: 'Its row shows it.',
    settle: () =>
      transaction(pool, async tx => {
        if (await holdJob(tx, row.id, row.runId))
          await noteFoundPullRequest(tx, row.id, row.ref, pull);
      }),
  };
}

/** A branch that is not among those that Docent names, or not on the host. */
async function compareUnfound(
  host: RepositoryHost,
  row: Job & { ref: string },
  pullRequest: number,
): Promise<Difference | undefined> {
  if ((await host.resolveBranch(row, row.ref)) !== null) return undefined;
  if ((await openPullRequest(host, row, pullRequest)) === 'over') return undefined;
  return {
    ...{ kind: 'branch-missing', job: row.id, isOpen: true },
    says: `${row.repository} has no branch ${row.ref}, which the job has pushed.`,
    remedy: 'The host is older than Postgres. The next turn begins a new branch.',
  };
}

/** `over`: merged or closed, so that its branch may well be deleted. */
async function openPullRequest(
  host: RepositoryHost,
  row: Job,
  number: number,
): Promise<PullRequest | 'over' | undefined> {
  try {
    const pull = await host.getPullRequest(row, number);
    return pull.state === 'open' ? pull : 'over';
  } catch (error) {
    if (!(error instanceof RepositoryError) || error.type !== 'repository_not_found') throw error;
    // Of a repository that we may still see, this is the whole answer.
    await host.describe(row);
    return undefined;
  }
}
