import type { Octokit, RestEndpointMethodTypes } from '@octokit/rest';
import { refusedWith } from './failures.ts';
import type { RepositoryName } from './site.ts';
import type { PullRequest, PullRequestInput } from '../host.ts';

type Pull =
  | RestEndpointMethodTypes['pulls']['get']['response']['data']
  | RestEndpointMethodTypes['pulls']['list']['response']['data'][number];

export function pullRequestOf(pull: Pull): PullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? '',
    draft: pull.draft ?? false,
    mergedAt: pull.merged_at ?? undefined,
    state: pull.merged_at ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    head: pull.head.ref,
    base: pull.base.ref,
    headCommit: pull.head.sha,
  };
}

/** Those from a branch of the repository itself, newest first. Throws what Octokit throws. */
export async function findPullRequests(
  octokit: Octokit,
  name: RepositoryName,
  head: string,
): Promise<PullRequest[]> {
  // The filter knows a repository's present owner only, and one that it does not know filters
  // nothing.
  const { data: repository } = await octokit.rest.repos.get(name);
  const data = await octokit.paginate(octokit.rest.pulls.list, {
    ...name,
    state: 'all',
    head: `${repository.owner.login}:${head}`,
    per_page: 100,
  });
  return data
    .filter(pull => pull.head.ref === head && pull.head.repo?.id === repository.id)
    .map(pullRequestOf);
}

/** Opens one, or returns the open one. Throws what Octokit throws. */
export async function createGitHubPullRequest(
  octokit: Octokit,
  name: RepositoryName,
  input: PullRequestInput,
): Promise<PullRequest> {
  const { title, body, head, base, draft } = input;
  try {
    return pullRequestOf(
      (await octokit.rest.pulls.create({ ...name, title, body, head, base, draft })).data,
    );
  } catch (error) {
    const said = refusedWith(error, 422) ?? '';
    if (/already exists/i.test(said)) return await openOne(octokit, name, head, error);
    if (draft && /draft/i.test(said))
      return await createGitHubPullRequest(octokit, name, { ...input, draft: false });
    if (/no commits between/i.test(said)) return nothingToReview(input);
    throw error;
  }
}

async function openOne(
  octokit: Octokit,
  name: RepositoryName,
  head: string,
  error: unknown,
): Promise<PullRequest> {
  const open = (await findPullRequests(octokit, name, head)).find(one => one.state === 'open');
  if (!open) throw error;
  return open;
}

/**
 * The base has all of the branch: a person brought it there meanwhile. That is the same as a pull
 * request that is over: the next preparation finds nothing left to publish.
 */
function nothingToReview(input: PullRequestInput): PullRequest {
  return {
    number: 0,
    url: '',
    title: input.title,
    body: '',
    draft: false,
    state: 'closed',
    head: input.head,
    base: input.base,
    headCommit: '',
  };
}
