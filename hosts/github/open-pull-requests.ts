import type { Octokit } from '@octokit/rest';
import type { OpenPullRequest } from '../host.ts';
import { isObject } from '../../sites/values.ts';
import { RepositoryError } from '../repository-error.ts';
import type { RepositoryName } from './site.ts';

const MARK_READY = `mutation ($id: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

/** Those into a branch, the one that changed last first. Throws what Octokit throws. */
export async function readOpen(
  octokit: Octokit,
  name: RepositoryName,
  base: string,
): Promise<OpenPullRequest[]> {
  const { data } = await octokit.rest.pulls.list({
    ...{ ...name, base, state: 'open', sort: 'updated', direction: 'desc', per_page: 100 },
  });
  return data.map(pull => ({
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? '',
    author: pull.user?.login ?? '',
    labels: pull.labels.map(label => label.name),
    headCommit: pull.head.sha,
    updatedAt: pull.updated_at,
  }));
}

/** Only GraphQL can. One that is ready stays as it is. */
export async function markReady(
  octokit: Octokit,
  name: RepositoryName,
  number: number,
): Promise<void> {
  const { data } = await octokit.rest.pulls.get({ ...name, pull_number: number });
  if (!data.draft) return;
  await octokit.graphql(MARK_READY, { id: data.node_id }).catch((error: unknown) => {
    const refusals = isObject(error) && Array.isArray(error['errors']) ? error['errors'] : [];
    const [first] = refusals as { type?: unknown; message?: unknown }[];
    if (!first || first.type === 'RATE_LIMITED') throw error;
    throw new RepositoryError(
      'credentials_refused',
      `GitHub does not mark pull request #${number} as ready: ${String(first.message)}`,
    );
  });
}
