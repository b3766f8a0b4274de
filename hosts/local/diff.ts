import { Problem } from '../../shared/errors.ts';
import type { CommitLine } from '../hosted-pull-requests.ts';
import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git, GitCommandError } from '../git/git-command.ts';
import { requireRepository } from './repositories.ts';

/**
 * What `head` changed since it left `base` (branches or commits), as a unified diff. Throws
 * `not_found`, `payload_too_large` (50 MiB).
 */
export async function readDiff(
  at: LocalHostContext,
  repository: string,
  base: string,
  head: string,
): Promise<string> {
  await requireRepository(at, repository);
  return await read(at, repository, [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--end-of-options',
    `${base}...${head}`,
    '--',
  ]);
}

/** The commits of `head` that `base` lacks, newest first, at most 100. */
export async function readCommits(
  at: LocalHostContext,
  repository: string,
  base: string,
  head: string,
): Promise<CommitLine[]> {
  const text = await read(at, repository, [
    'log',
    '--no-show-signature',
    '--max-count=100',
    '--format=%H%x1f%an%x1f%aI%x1f%s',
    '--end-of-options',
    `${base}..${head}`,
    '--',
  ]);
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [id = '', author = '', time = '', subject = ''] = line.split('\x1f');
      return { id, author, time, subject };
    });
}

async function read(at: LocalHostContext, repository: string, args: string[]): Promise<string> {
  return await git(['--git-dir', repositoryFolder(at, repository), ...args]).catch(
    (error: unknown) => {
      if (!(error instanceof GitCommandError) || error.exitCode !== 128) throw error;
      throw new Problem('not_found', `Repository ${repository} has no such branches or commits.`, {
        cause: error,
      });
    },
  );
}
