import type { Octokit } from '@octokit/rest';
import type { HostedCommit } from '../host.ts';
import type { RepositoryName } from './site.ts';

const PER_PAGE = 100;
const MAX_PAGES = 10;

/**
 * The commits with one parent that `head` has and `base` lacks, oldest first. Throws what Octokit
 * throws.
 */
export async function comparedCommits(
  octokit: Octokit,
  name: RepositoryName,
  base: string,
  head: string,
): Promise<HostedCommit[]> {
  const found: HostedCommit[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data } = await octokit.rest.repos.compareCommitsWithBasehead({
      ...name,
      basehead: `${base}...${head}`,
      per_page: PER_PAGE,
      page,
    });
    for (const { sha, commit, parents } of data.commits) {
      const [parent] = parents;
      if (parents.length !== 1 || !parent) continue;
      const time = Math.floor(Date.parse(commit.author?.date ?? '') / 1000);
      const { message, tree } = commit;
      found.push({ commit: sha, tree: tree.sha, parent: parent.sha, time, message });
    }
    if (data.commits.length < PER_PAGE) break;
  }
  return found;
}
