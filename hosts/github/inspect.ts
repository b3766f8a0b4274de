import type { WantedBranch } from '../host-definition.ts';
import { RepositoryError } from '../repository-error.ts';
import { docsFolderOf } from '../../sites/docs-folder.ts';
import type { GitHubClient } from './client.ts';
import { archived, disabled, refusedWith, writeMissing } from './failures.ts';
import { fetchWithin } from './fetch.ts';

/** What a project keeps of its repository. */
export interface InspectedRepository {
  /** "owner/name", as GitHub writes it now. */
  repository: string;
  repositoryUrl: string;
  baseRef: string;
  docsFolder: string;
}

/**
 * Tries all that a job will need, and changes nothing: access, a base branch, the right to push
 * unless it is only to be read.
 * What `wanted` leaves open is found. Throws a `RepositoryError` whose sentence names the one thing
 * to repair.
 */
export async function inspectRepository(
  github: GitHubClient,
  repository: string,
  wanted: WantedBranch,
): Promise<InspectedRepository> {
  const found = await github.call(repository, async (octokit, name) => {
    const { data } = await octokit.rest.repos.get(name);
    if (data.disabled) throw disabled(repository);
    if (data.archived && !wanted.readOnly) throw archived(repository);
    const { data: branches } = await octokit.rest.repos.listBranches({ ...name, per_page: 1 });
    if (branches.length === 0)
      throw new RepositoryError(
        'repository_empty',
        `The repository ${repository} has no commit yet: push one first.`,
      );
    const baseRef = wanted.baseRef ?? data.default_branch;
    await octokit.rest.repos.getBranch({ ...name, branch: baseRef }).catch((error: unknown) => {
      if (refusedWith(error, 404) === undefined) throw error;
      throw new RepositoryError(
        'ref_not_found',
        `The repository ${repository} has no branch ${baseRef}: correct the project’s base ` +
          'branch, or push it.',
      );
    });
    const docsFolder =
      wanted.docsFolder ??
      docsFolderOf(
        (
          await octokit.rest.git.getTree({ ...name, tree_sha: baseRef, recursive: '1' })
        ).data.tree.map(entry => entry.path),
      );
    return { repository: data.full_name, repositoryUrl: data.html_url, baseRef, docsFolder };
  });
  if (!wanted.readOnly && !(await mayPush(github, repository))) throw writeMissing(repository);
  return found;
}

/**
 * Asks git as a push would begin: what a token may do shows nowhere else, and nothing is changed by
 * it.
 */
async function mayPush(github: GitHubClient, repository: string): Promise<boolean> {
  const token = await github.credentials.token(repository);
  const response = await fetchWithin(
    `${github.site.webUrl}/${repository}.git/info/refs?service=git-receive-pack`,
    {
      headers: {
        authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`,
      },
    },
  ).catch(() => {
    throw new RepositoryError(
      'repository_unreachable',
      `GitHub’s git at ${github.site.webUrl} cannot be reached.`,
    );
  });
  await response.body?.cancel();
  if (response.status >= 500)
    throw new RepositoryError(
      'repository_failing',
      `GitHub’s git answers with status ${response.status}: try again once it has recovered.`,
    );
  return response.ok;
}
