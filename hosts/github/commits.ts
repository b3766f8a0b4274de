import type { Octokit, RestEndpointMethodTypes } from '@octokit/rest';
import type { HostedCommit } from '../host.ts';
import { RepositoryError } from '../repository-error.ts';
import type { RepositoryName } from './site.ts';

const PER_PAGE = 100;
const MAX_PAGES = 10;

type Compared = RestEndpointMethodTypes['repos']['compareCommitsWithBasehead']['response']['data'];

/**
 * The newest thousand commits that `head` has and `base` lacks, those with one parent, oldest
 * first. Throws what Octokit throws, and `repository_failing` if the answer is not complete: that
 * a commit is not among them is a conclusion.
 */
export async function comparedCommits(
  octokit: Octokit,
  name: RepositoryName,
  base: string,
  head: string,
): Promise<HostedCommit[]> {
  const read = async (page: number): Promise<Compared> => {
    const basehead = `${base}...${head}`;
    const asked = { ...name, basehead, per_page: PER_PAGE, page };
    return (await octokit.rest.repos.compareCommitsWithBasehead(asked)).data;
  };
  const first = await read(1);
  const { total_commits: total } = first;
  const last = Math.ceil(total / PER_PAGE);
  const from = Math.max(1, last - MAX_PAGES + 1);
  const found: Compared['commits'] = [];
  for (let page = from; page <= last; page++)
    found.push(...(page === 1 ? first : await read(page)).commits);
  if (found.length !== total - (from - 1) * PER_PAGE)
    throw new RepositoryError(
      'repository_failing',
      `GitHub answers with ${found.length} of ${total} commits of ${name.owner}/${name.repo}.`,
    );
  return found.flatMap(({ sha, commit, parents }) => {
    const [parent] = parents;
    if (parents.length !== 1 || !parent) return [];
    const time = Math.floor(Date.parse(commit.author?.date ?? '') / 1000);
    const { message, tree } = commit;
    return [{ commit: sha, tree: tree.sha, parent: parent.sha, time, message }];
  });
}
