import type { Octokit } from '@octokit/rest';
import type { RepositoryState } from '../host.ts';
import type { GitHubCredentials } from './credentials.ts';
import { disabled, writeMissing } from './failures.ts';
import type { RepositoryName } from './site.ts';

/** Throws what Octokit throws, and `RepositoryError`. */
export async function describeRepository(
  octokit: Octokit,
  name: RepositoryName,
  credentials: GitHubCredentials['kind'],
): Promise<RepositoryState> {
  const repository = `${name.owner}/${name.repo}`;
  const [{ data }, any, guarded] = await Promise.all([
    octokit.rest.repos.get(name),
    octokit.rest.repos.listBranches({ ...name, per_page: 1 }),
    octokit.paginate(octokit.rest.repos.listBranches, {
      ...name,
      protected: true,
      per_page: 100,
    }),
  ]);
  if (data.disabled) throw disabled(repository);
  // What an App may do its token says; for a token of a person it is what the person may do.
  if (credentials === 'token' && data.permissions?.push === false && !data.archived)
    throw writeMissing(repository);
  return {
    id: data.id,
    url: data.html_url,
    defaultBranch: data.default_branch,
    archived: data.archived,
    empty: any.data.length === 0,
    // A redirect may lose the query.
    protectedBranches: guarded.filter(branch => branch.protected).map(branch => branch.name),
  };
}
