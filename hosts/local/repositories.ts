import { randomBytes } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import {
  findRepository,
  type LocalRepositoryRow,
  removeRepository,
  updateRepository,
} from '../../db/local-host/local-host.ts';
import { Problem } from '../../shared/errors.ts';
import { cloneUrl, type LocalHostContext, repositoryFolder } from './context.ts';
import { git } from '../git/git-command.ts';
import { readBranches } from './refs.ts';
import type { LocalBranch, LocalRepository, LocalRepositoryNow } from './schemas.ts';

/** Removes the repository and its pull requests permanently; false if there is none. */
export async function deleteRepository(at: LocalHostContext, name: string): Promise<boolean> {
  if (!(await findRepository(at.pool, name))) return false;
  const folder = repositoryFolder(at, name);
  if (!(await removeRepository(at.pool, name))) return false;
  const gone = `${folder}.${randomBytes(6).toString('hex')}.deleted`;
  await rename(folder, gone);
  await rm(gone, { recursive: true, force: true });
  return true;
}

/** Also returns those of the named branches that exist. */
export async function readRepository(
  at: LocalHostContext,
  name: string,
  branches: readonly string[] = [],
): Promise<LocalRepositoryNow> {
  const repository = await view(at, await requireRepository(at, name));
  const found =
    branches.length === 0 ? [] : await readBranches(repositoryFolder(at, name), branches);
  return {
    ...repository,
    branches: Array.from(found, ([branch, commit]) => ({ name: branch, commit })),
  };
}

/** Makes it public or private, read-only or not, or protects branches from pushes. */
export async function configureRepository(
  at: LocalHostContext,
  name: string,
  change: { public?: boolean; archived?: boolean; protectedBranches?: string[] },
): Promise<LocalRepository> {
  await requireRepository(at, name);
  const { protectedBranches, ...rest } = change;
  await updateRepository(at.pool, name, {
    ...rest,
    ...(protectedBranches && { protected: protectedBranches }),
  });
  return await readRepository(at, name);
}

/** The row. Throws `not_found`, and `unavailable` where another API has the files. */
export async function requireRepository(
  at: LocalHostContext,
  name: string,
): Promise<LocalRepositoryRow> {
  const row = await findRepository(at.pool, name);
  if (!row) throw new Problem('not_found', `There is no repository ${name} on this host.`);
  repositoryFolder(at, name); // throws where it is not here
  return row;
}

/** The branches of a repository. */
export async function listBranches(at: LocalHostContext, name: string): Promise<LocalBranch[]> {
  await requireRepository(at, name);
  const folder = repositoryFolder(at, name);
  const lines = await git([
    '--git-dir',
    folder,
    'for-each-ref',
    '--format=%(objectname) %(refname:lstrip=2)',
    'refs/heads',
  ]);
  return lines
    .split('\n')
    .filter(Boolean)
    .map(line => ({ name: line.slice(41), commit: line.slice(0, 40) }));
}

/** Throws `invalid_request` where the repository has no such branch. */
export async function requireBranch(
  at: LocalHostContext,
  repository: string,
  branch: string,
): Promise<void> {
  const names = (await listBranches(at, repository)).map(({ name }) => name);
  if (names.includes(branch)) return;
  const others =
    names.length === 0
      ? 'it has no commit yet'
      : `it has ${names.slice(0, 10).join(', ')}${names.length > 10 ? ' and others' : ''}`;
  throw new Problem(
    'invalid_request',
    `Repository ${repository} has no branch ${branch}: ${others}.`,
    { errors: [{ path: 'baseRef', message: `is not a branch of repository ${repository}` }] },
  );
}

async function view(at: LocalHostContext, row: LocalRepositoryRow): Promise<LocalRepository> {
  return {
    name: row.name,
    url: cloneUrl(at, row.name),
    defaultBranch: row.default_branch,
    public: row.public,
    archived: row.archived,
    empty: await isEmpty(repositoryFolder(at, row.name), row.default_branch),
    protectedBranches: row.protected,
  };
}

async function isEmpty(folder: string, defaultBranch: string): Promise<boolean> {
  if ((await readBranches(folder, [defaultBranch])).size > 0) return false;
  return (await git(['--git-dir', folder, 'for-each-ref', '--count=1', 'refs/heads'])) === '';
}
