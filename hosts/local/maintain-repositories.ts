import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { listRepositoryNames } from '../../db/local-host/local-host.ts';
import { mergedBranchesWithoutJob } from '../../db/local-host/local-pull-requests.ts';
import { type LocalHostContext, KIND, repositoryFolder, repositoryPath } from './context.ts';
import { git, GitCommandError } from '../git/git-command.ts';

/** What git does by itself after a push is off (git-command.ts): it does it here, beside requests. */
const PACKING = [
  'gc.bigPackThreshold=100m', // not written again each time
  // What nothing refers to is one pack, not a file each that would begin it all again.
  'gc.cruftPacks=true',
  // A snapshot may still be fetched after its branch was deleted.
  'gc.pruneExpire=30.days',
  'pack.window=10',
].flatMap(setting => ['-c', setting]);
/** Loose objects from which on a repository is packed: those of about a hundred merged jobs. */
const MOST_LOOSE = 1_000;
const MOST_PACKS = 20;

/**
 * Deletes branches that merged jobs have left behind, and packs the repositories that have many
 * loose objects. Repositories whose files another process has are skipped. `onFailure` hears of
 * those that git cannot tidy; the others are tidied.
 */
export async function maintainRepositories(
  at: LocalHostContext,
  stopping: AbortSignal,
  onFailure: (repository: string, error: unknown) => void,
): Promise<void> {
  for (const name of await listRepositoryNames(at.pool)) {
    if (stopping.aborted) return;
    const folder = repositoryPath(at, name);
    if (!(await stat(join(folder, 'HEAD')).catch(() => undefined))) continue;
    try {
      await deleteMergedBranches(at, name);
      if (await isScattered(folder))
        await git([...PACKING, '--git-dir', folder, 'gc', '--quiet'], { signal: stopping });
    } catch (error) {
      if (!stopping.aborted) onFailure(name, error);
    }
  }
}

/**
 * Deletes the branches of merged pull requests whose jobs are deleted. Nothing is lost: only
 * branches go that the base contains as they are.
 */
async function deleteMergedBranches(at: LocalHostContext, repository: string): Promise<void> {
  const folder = ['--git-dir', repositoryFolder(at, repository)];
  const format = ['--format=%(objectname) %(refname:lstrip=2)', 'refs/heads'];
  const branches = lines(await git([...folder, 'for-each-ref', ...format]));
  const names = branches.map(line => line.slice(41));
  const left = await mergedBranchesWithoutJob(at.pool, KIND, repository, names);
  for (const base of new Set(left.map(branch => branch.base))) {
    if (!names.includes(base)) continue;
    const merged = new Set(
      lines(await git([...folder, 'for-each-ref', `--merged=refs/heads/${base}`, ...format])),
    );
    for (const { branch, commit } of left.filter(each => each.base === base))
      if (merged.has(`${commit} ${branch}`))
        await git([...folder, 'update-ref', '-d', `refs/heads/${branch}`, commit]).catch(
          ignoreMoved,
        );
  }
}

/** By a count: `gc --auto` guesses from one of 256 folders. */
async function isScattered(folder: string): Promise<boolean> {
  const counts = new Map(
    lines(await git(['--git-dir', folder, 'count-objects', '-v'])).map(
      line => line.split(': ') as [string, string],
    ),
  );
  const count = (name: string) => Number(counts.get(name) ?? 0);
  return count('count') > MOST_LOOSE || count('packs') > MOST_PACKS;
}

/** It got a new commit meanwhile. */
function ignoreMoved(error: unknown): void {
  if (!(error instanceof GitCommandError)) throw error;
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
