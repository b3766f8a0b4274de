import { Problem } from '../../shared/errors.ts';
import { docsFolderOf } from '../../sites/docs-folder.ts';
import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git } from '../git/git-command.ts';

type At = Pick<LocalHostContext, 'dataDir'>;

/** Where the pages of a repository are, at a branch; '' is the root. */
export async function findDocsFolder(at: At, repository: string, branch: string): Promise<string> {
  return docsFolderOf(await listFiles(at, repository, branch));
}

/** Throws `invalid_request` where the branch has no such folder. */
export async function requireDocsFolder(
  at: At,
  repository: string,
  branch: string,
  folder: string,
): Promise<void> {
  const paths = await listFiles(at, repository, branch);
  if (folder === '' || paths.some(path => path.startsWith(`${folder}/`))) return;
  throw new Problem('invalid_request', `Branch ${branch} has no folder ${folder}.`, {
    errors: [{ path: 'docsFolder', message: `is not a folder of branch ${branch}` }],
  });
}

async function listFiles(at: At, repository: string, branch: string): Promise<string[]> {
  const folder = repositoryFolder(at, repository);
  const ref = `refs/heads/${branch}`;
  const listed = await git(['--git-dir', folder, 'ls-tree', '-r', '-z', '--name-only', ref]);
  return listed.split('\0').filter(Boolean);
}
