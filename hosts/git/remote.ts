import git from 'isomorphic-git';
import { gitHttp } from './http.ts';

/** A repository that is reached by git over HTTP. */
export interface GitRemote {
  /** Names the repository within the cache: relative, `/` between parts, nothing that climbs. */
  key: string;
  /** What people call it: used in sentences. */
  name: string;
  /** Without credentials. */
  url: string;
  /**
   * It hands out single objects (git's partial clone): pages are fetched at once, other contents
   * when they are read.
   */
  partial?: boolean;
  /**
   * The value of the Authorization header, asked for where it is used, so that it may be
   * short-lived.
   */
  authorization(): Promise<string | undefined>;
}

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
