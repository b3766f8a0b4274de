import { RepositoryError } from '../repository-error.ts';
import { GitCommandError } from './git-command.ts';
import type { GitRemote } from './remote.ts';
import { askRemote } from './remote-git.ts';

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
  const listed = await askRemote(remote, ['ls-remote', '--heads', 'origin'], { signal }).catch(
    (cause: unknown) => {
      if (!(cause instanceof GitCommandError)) throw cause;
      throw new RepositoryError(
        'repository_unreachable',
        `${remote.name} sent only a part of its list of branches: try again later.`,
        { cause },
      );
    },
  );
  const refs = listed.split('\n').map(line => line.split('\t') as [string, string | undefined]);
  return new Map(
    refs.flatMap(([id, ref]) =>
      ref?.startsWith(HEADS + prefix) ? [[ref.slice(HEADS.length), id]] : [],
    ),
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
