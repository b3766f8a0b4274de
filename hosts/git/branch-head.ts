import git from 'isomorphic-git';
import { gitHttp } from './http.ts';
import type { GitRemote } from './remote.ts';

/**
 * The commit that a branch is at, or null where there is no such branch. Throws `RepositoryError`.
 */
export async function branchHead(
  remote: GitRemote,
  branch: string,
  signal: AbortSignal,
): Promise<string | null> {
  const wanted = `refs/heads/${branch}`;
  const refs = await git.listServerRefs({
    http: gitHttp(remote, signal),
    url: remote.url,
    prefix: wanted,
    protocolVersion: 2,
  });
  return refs.find(ref => ref.ref === wanted)?.oid ?? null;
}
