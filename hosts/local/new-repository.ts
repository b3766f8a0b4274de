import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findRepository, insertRepository } from '../../shared/db/local-host/local-host.ts';
import { transaction } from '../../shared/db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { GuardedSource } from '../host-definition.ts';
import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git, GitCommandError } from './git-command.ts';
import { readRepository } from './repositories.ts';
import { isRepositoryName, type LocalRepository } from './schemas.ts';

export interface NewRepository {
  name: string;
  /** Anyone who reaches the API may read it. */
  public?: boolean;
  /** `main` where the source does not say. */
  defaultBranch?: string;
}

/**
 * An empty repository. Throws `conflict` where the name is taken, `invalid_request` where it will
 * not do.
 */
export async function createRepository(
  at: LocalHostContext,
  repository: NewRepository,
): Promise<LocalRepository> {
  const defaultBranch = repository.defaultBranch ?? 'main';
  return await install(at, repository, async folder => {
    await initialize(folder, defaultBranch);
    return defaultBranch;
  });
}

/**
 * A repository with the content of another: a path or URL of a git repository, whose branches and
 * tags come along, or a plain folder, whose files become the first commit (.gitignore holds).
 * Throws as `createRepository`, and `invalid_request` with a sentence where the source cannot be
 * read. A guarded source is never a path.
 */
export async function importRepository(
  at: LocalHostContext,
  repository: NewRepository,
  source: string | GuardedSource,
): Promise<LocalRepository> {
  return await install(at, repository, async folder => {
    if (typeof source === 'string' && !isUrl(source) && !(await isGitRepository(source)))
      return await commitFolder(folder, source, repository.defaultBranch ?? 'main');
    await clone(source, folder);
    // The address may hold credentials, and nothing here fetches from it again.
    await git(['--git-dir', folder, 'config', '--remove-section', 'remote.origin']);
    const branch =
      repository.defaultBranch ??
      (await git(['--git-dir', folder, 'symbolic-ref', '--short', 'HEAD'])).trim();
    await git(['--git-dir', folder, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
    return branch;
  });
}

async function clone(source: string | GuardedSource, folder: string): Promise<void> {
  const { url, settings, environment }: Partial<GuardedSource> & { url: string } =
    typeof source === 'string' ? { url: source } : source;
  const config = (settings ?? []).flatMap(setting => ['-c', setting]);
  const flags = ['--quiet', '--bare', '--no-local', '--template='];
  await git([...config, 'clone', ...flags, '--', url, folder], { environment }).catch(
    (error: unknown) => {
      if (!(error instanceof GitCommandError)) throw error;
      throw new Problem(
        'invalid_request',
        `${withoutCredentials(url)} cannot be cloned: check the address and that git may read it.`,
        { cause: error },
      );
    },
  );
}

/**
 * Fills a folder aside, then gives it its name together with its row: a crash leaves nothing that a
 * repeat trips over.
 */
async function install(
  at: LocalHostContext,
  repository: NewRepository,
  fill: (folder: string) => Promise<string>,
): Promise<LocalRepository> {
  const { name } = repository;
  if (!isRepositoryName(name) || /\.git$/i.test(name)) {
    throw new Problem(
      'invalid_request',
      `"${name}" will not do as a repository's name: it takes up to 100 letters, digits, ` +
        'dots, dashes and underscores, and does not end in .git.',
    );
  }
  if (await findRepository(at.pool, name)) throw taken(name);
  const final = repositoryFolder(at, name);
  const folder = `${final}.${randomBytes(6).toString('hex')}.new`;
  await mkdir(dirname(final), { recursive: true });
  try {
    const defaultBranch = await fill(folder);
    await transaction(at.pool, async tx => {
      if (
        !(await insertRepository(tx, { name, defaultBranch, public: repository.public ?? false }))
      )
        throw taken(name);
      await rm(final, { recursive: true, force: true });
      await rename(folder, final);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return await readRepository(at, name);
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

async function initialize(folder: string, branch: string): Promise<void> {
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

function taken(name: string): Problem {
  return new Problem('conflict', `A repository ${name} already exists.`);
}
