import git from 'isomorphic-git';
import { RepositoryError } from '../repository-error.ts';
import { atomicFs } from './atomic-files.ts';
import { branchHead } from './branch-head.ts';
import type { BuiltCommit } from './commit.ts';
import { withScratch } from './fetch.ts';
import { GitCommandError } from './git-command.ts';
import { bringCommit, storeOf } from './partial-snapshot.ts';
import type { GitRemote } from './remote.ts';
import { askRemote } from './remote-git.ts';

export interface Push {
  branch: string;
  built: BuiltCommit;
  parent: string;
  /** Null: the branch must not exist. */
  expectedHead: string | null;
}

/**
 * Moves the branch from `expectedHead` to our commit; there already is success.
 *
 * Git leases the branch, so that the server compares and swaps, and sends what we made and nothing
 * else. Throws `RepositoryError`: `branch_moved`, `push_refused` with the server's sentence,
 * `repository_failing` if it could not store the pack, or what the network says.
 */
export async function pushCommit(
  remote: GitRemote,
  folder: string,
  push: Push,
  signal: AbortSignal,
): Promise<void> {
  const { branch, built, parent, expectedHead } = push;
  const store = storeOf(folder);
  // A trimmed cache may know the parent's files, and not its folders.
  if (!(await has(store, parent))) await bringCommit(remote, folder, parent, signal);
  for (const { type, bytes } of built.objects)
    await git.writeObject({ fs: atomicFs, gitdir: store, type, object: bytes, format: 'content' });
  const ref = `refs/heads/${branch}`;
  const args = [
    // Where no branch that the server lists is at the parent, git asks whether it has it.
    ...['-c', `push.negotiate=${expectedHead !== parent}`],
    ...['-c', 'advice.graftFileDeprecated=false'],
    ...['push', '--porcelain', '--no-verify', '--no-progress', '--recurse-submodules=no'],
    ...[`--force-with-lease=${ref}:${expectedHead ?? ''}`, 'origin', `${built.commit}:${ref}`],
  ];
  // What lies before the parent is not here, and is not to be sent. A host that hears this refuses a
  // parent that none of its branches has any more ("shallow update not allowed").
  const have = { commit: parent, boundary: `${parent}\n`, list: 'info/grafts' } as const;
  await withScratch(store, have, async ({ environment }) => {
    try {
      await askRemote(remote, args, { environment, signal });
    } catch (error) {
      if (!(error instanceof GitCommandError)) throw error;
      // What the server says of a lost race differs from host to host; where the branch is now does
      // not.
      const now = await branchHead(remote, branch, signal);
      if (now === built.commit) return;
      if (now !== expectedHead)
        throw new RepositoryError(
          'branch_moved',
          `Branch ${branch} of ${remote.name} has moved meanwhile.`,
        );
      throw refused(remote, branch, error);
    }
  });
}

async function has(store: string, commit: string): Promise<boolean> {
  return await git.readObject({ fs: atomicFs, gitdir: store, oid: commit }).then(
    () => true,
    () => false,
  );
}

/** As `git receive-pack` says that it failed itself; a pack over its limit will not do later. */
const OWN_FAILURE =
  /\b(?:abnormal exit|unpacker error|unable to (?:create temporary|migrate) object)/;
const TOO_LARGE = /exceeds maximum/;

/**
 * A refusal by the server, or its failure: as on a full disk, or if it did not live to report. Then
 * no rule refused the branch.
 */
function refused(
  { name }: GitRemote,
  branch: string,
  { stdout, stderr }: GitCommandError,
): RepositoryError {
  const [, reported] = /^!\t\S+\t\[remote rejected\] \((.*)\)$/m.exec(stdout) ?? [];
  const said = [...stderr.matchAll(/^(?:remote: |error: remote unpack failed: )(.*)$/gm)];
  const sentence = [...(reported === undefined ? [] : [reported]), ...said.map(([, line]) => line)]
    .join(' ')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 500);
  const isOfTheServer =
    (reported === undefined || OWN_FAILURE.test(sentence)) && !TOO_LARGE.test(sentence);
  const reason = sentence || 'it gave no report.';
  return isOfTheServer
    ? new RepositoryError(
        'repository_failing',
        `${name} cannot store the push to ${branch}: ${reason}`,
      )
    : new RepositoryError('push_refused', `${name} refuses the push to ${branch}: ${reason}`);
}
