import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findRepository, insertRepository } from '../../db/local-host/local-host.ts';
import { transaction } from '../../db/pool.ts';
import { Problem } from '../../shared/errors.ts';
import type { GuardedSource } from '../host-definition.ts';
import { type LocalHostContext, repositoryPath } from './context.ts';
import { copySource, initialize } from './copy-source.ts';
import { git } from '../git/git-command.ts';
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
    const branch = await copySource(folder, source, { branch: repository.defaultBranch });
    await git(['--git-dir', folder, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
    return branch;
  });
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
  const final = repositoryPath(at, name);
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

function taken(name: string): Problem {
  return new Problem('conflict', `A repository ${name} already exists.`);
}
