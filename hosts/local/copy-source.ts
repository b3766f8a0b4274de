import { rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Problem } from '../../shared/errors.ts';
import type { GuardedSource } from '../host-definition.ts';
import { git, GitCommandError, type GitLimits } from '../git/git-command.ts';

interface WantedCopy {
  /** The default one of the copy. Left out: that of the source, `main` of a plain folder. */
  branch?: string | undefined;
  /** Copies only the last commit of the branch, and no more than these allow. */
  limits?: Required<GitLimits>;
}

/**
 * Fills a folder, which is empty or missing, with a bare repository: a copy of another one, or the
 * files of a plain folder as its first commit. The branch that it is about. Throws
 * `invalid_request` if the source cannot be read.
 */
export async function copySource(
  folder: string,
  source: string | GuardedSource,
  wanted: WantedCopy,
): Promise<string> {
  if (typeof source === 'string' && !isUrl(source) && !(await isGitRepository(source)))
    return await commitFolder(folder, source, wanted.branch ?? 'main');
  await clone(source, folder, wanted);
  // The address may hold credentials, and nothing here fetches from it again.
  await git(['--git-dir', folder, 'config', '--remove-section', 'remote.origin']);
  return (
    wanted.branch ?? (await git(['--git-dir', folder, 'symbolic-ref', '--short', 'HEAD'])).trim()
  );
}

async function clone(
  source: string | GuardedSource,
  folder: string,
  { branch, limits }: WantedCopy,
): Promise<void> {
  const { url, settings, environment }: Partial<GuardedSource> & { url: string } =
    typeof source === 'string' ? { url: source } : source;
  const config = (settings ?? []).flatMap(setting => ['-c', setting]);
  const flags = ['--quiet', '--bare', '--no-local', '--template='];
  // Only what is looked at: the last commit of one branch.
  const part = ['--depth=1', ...(branch === undefined ? [] : [`--branch=${branch}`])];
  const into = ['--', url, folder];
  const run = (more: string[]) =>
    git([...config, 'clone', ...flags, ...more, ...into], { environment, limits });
  const cloned = limits
    ? run(part).catch((error: unknown) => {
        if (!(error instanceof GitCommandError && /dumb http/i.test(error.stderr))) throw error;
        return run(part.slice(1)); // files on a plain server: whole, within the same limits
      })
    : run([]);
  await cloned.catch((error: unknown) => {
    if (!(error instanceof GitCommandError)) throw error;
    throw new Problem(
      'invalid_request',
      limits
        ? `${withoutCredentials(url)} cannot be read: check the address, the branch, and that ` +
            `git may read it. A preview reads at most ${limits.fileBytes / 1e6} MB in ` +
            `${limits.timeoutMs / 1000} seconds.`
        : `${withoutCredentials(url)} cannot be cloned: check the address and that git may read it.`,
      { cause: error },
    );
  });
}

async function commitFolder(folder: string, source: string, branch: string): Promise<string> {
  if (
    !(await stat(source).then(
      found => found.isDirectory(),
      () => false,
    ))
  ) {
    throw new Problem(
      'invalid_request',
      `${source} is neither a folder nor an address that git can clone.`,
    );
  }
  await initialize(folder, branch);
  const at = ['--git-dir', folder, '--work-tree', resolve(source)];
  await git([...at, 'add', '--all', '.'], { cwd: source });
  if ((await git([...at, 'ls-files'])) === '')
    throw new Problem('invalid_request', `${source} holds no files.`);
  const tree = (await git([...at, 'write-tree'])).trim();
  const commit = (await git([...at, 'commit-tree', tree, '-m', 'Import'])).trim();
  await git([...at, 'update-ref', `refs/heads/${branch}`, commit]);
  await rm(join(folder, 'index'), { force: true });
  return branch;
}

/** An empty bare repository. Throws `invalid_request` for a name that no branch can have. */
export async function initialize(folder: string, branch: string): Promise<void> {
  await git(['check-ref-format', '--branch', branch]).catch(() => {
    throw new Problem('invalid_request', `"${branch}" will not do as a branch's name.`);
  });
  await git(['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, folder]);
}

async function isGitRepository(path: string): Promise<boolean> {
  const exists = (...parts: string[]) =>
    stat(join(path, ...parts)).then(
      () => true,
      () => false,
    );
  return (
    (await exists('.git')) ||
    ((await exists('HEAD')) && (await exists('objects')) && (await exists('refs')))
  );
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[^/\\]+@[^/\\]+:/.test(source);
}

function withoutCredentials(source: string): string {
  return source.replace(/\/\/[^/@]*@/, '//');
}
