import {
  findPullRequest,
  type LocalPullRequestRow,
  pageOfPullRequests,
} from '../../db/local-host/local-pull-requests.ts';
import { Problem } from '../../shared/errors.ts';
import type { HostDeps } from '../host-deps.ts';
import type { HostedPullRequest, HostedPullRequests } from '../hosted-pull-requests.ts';
import { contextOf, type LocalHostContext, pullRequestUrl } from './context.ts';
import { readCommits, readDiff } from './diff.ts';
import { conflictOf, mergePullRequest } from './merge-pull-request.ts';
import { closePullRequest } from './pull-requests.ts';
import { requireRepository } from './repositories.ts';
import { settleAll, settledPullRequest } from './settle-pull-request.ts';

const PAGE = 100;

export const localPullRequests: HostedPullRequests = {
  async list(deps, repository, wanted) {
    const at = contextOf(deps);
    await requireRepository(at, repository);
    let before: number | null | undefined = wanted.before;
    const found: HostedPullRequest[] = [];
    // A page of which none is as wanted any more is not the last one.
    do {
      const page = { ...wanted, before, limit: PAGE };
      const rows = await pageOfPullRequests(deps.pool, repository, page);
      for (const row of await settleAll(at, repository, rows))
        if (wanted.state === undefined || row.state === wanted.state) found.push(fromRow(at, row));
      before = rows.length < PAGE ? null : rows.at(-1)!.number;
    } while (found.length === 0 && before !== null);
    return { pullRequests: found, before };
  },
  async get(deps, repository, number) {
    const at = contextOf(deps);
    return fromRow(at, await settledPullRequest(at, repository, number));
  },
  async merge(deps, repository, number) {
    await mergePullRequest(contextOf(deps), repository, number);
    return await read(deps, repository, number);
  },
  async close(deps, repository, number) {
    await closePullRequest(contextOf(deps), repository, number);
    return await read(deps, repository, number);
  },
  diff: async (deps, { repository, baseCommit, headCommit }) =>
    readDiff(contextOf(deps), repository, baseCommit, headCommit),
  commits: async (deps, { repository, baseCommit, headCommit }) =>
    readCommits(contextOf(deps), repository, baseCommit, headCommit),
  conflict: async (deps, pullRequest) => conflictOf(contextOf(deps), pullRequest),
};

async function read(
  deps: HostDeps,
  repository: string,
  number: number,
): Promise<HostedPullRequest> {
  const row = await findPullRequest(deps.pool, repository, number);
  if (!row) throw new Problem('not_found', 'There is no such pull request.');
  return fromRow(contextOf(deps), row);
}

function fromRow(at: LocalHostContext, row: LocalPullRequestRow): HostedPullRequest {
  const { repository, number, title, body, state, draft, head, base } = row;
  return {
    repository,
    number,
    url: pullRequestUrl(at, row.token),
    title,
    body,
    state,
    draft,
    head,
    base,
    headCommit: row.head_commit,
    baseCommit: row.base_commit,
    jobId: row.job_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
  };
}
