import git from 'isomorphic-git';
import { gitHttp } from './http.ts';
import type { GitRemote } from './remote.ts';

const HEADS = 'refs/heads/';

/**
 * The branches whose names begin with `prefix`, with their commits. The list is complete. Throws
 * `RepositoryError`.
 */
export async function branchHeads(
  remote: GitRemote,
  prefix: string,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = `${HEADS}${prefix}`;
  const refs = await git.listServerRefs({
    http: gitHttp(remote, signal),
    url: remote.url,
    prefix: wanted,
    protocolVersion: 2,
  });
  return new Map(
    refs
      .filter(({ ref }) => ref.startsWith(wanted))
      .map(({ ref, oid }) => [ref.slice(HEADS.length), oid]),
  );
}

/**
 * The commit that a branch is at, or null where there is no such branch. Throws `RepositoryError`.
 */
export async function branchHead(
  remote: GitRemote,
  branch: string,
  signal: AbortSignal,
): Promise<string | null> {
  return (await branchHeads(remote, branch, signal)).get(branch) ?? null;
}
