import { Problem } from '../../shared/errors.ts';
import { pageFiles } from '../../shared/search/page-files.ts';
import { docsFolderOf } from '../../shared/site/docs-folder.ts';
import type { FileMode } from '../../shared/workspace.ts';
import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git } from './git-command.ts';

type At = Pick<LocalHostContext, 'dataDir'>;

/** Where the pages of a repository are, at a branch; '' is the root. */
export async function findDocsFolder(at: At, repository: string, branch: string): Promise<string> {
  return docsFolderOf([...(await listFiles(at, repository, branch)).keys()]);
}

/** Throws `invalid_request` where the branch has no such folder. */
export async function requireDocsFolder(
  at: At,
  repository: string,
  branch: string,
  folder: string,
): Promise<void> {
  const paths = [...(await listFiles(at, repository, branch)).keys()];
  if (folder === '' || paths.some(path => path.startsWith(`${folder}/`))) return;
  throw new Problem('invalid_request', `Branch ${branch} has no folder ${folder}.`, {
    errors: [{ path: 'docsFolder', message: `is not a folder of branch ${branch}` }],
  });
}

/** How many pages an index of the folder will hold. */
export async function countPages(
  at: At,
  repository: string,
  branch: string,
  folder: string,
): Promise<number> {
  return pageFiles(await listFiles(at, repository, branch), folder).size;
}

async function listFiles(
  at: At,
  repository: string,
  branch: string,
): Promise<Map<string, { mode: FileMode; size: number }>> {
  const listed = await git([
    '--git-dir',
    repositoryFolder(at, repository),
    'ls-tree',
    '-r',
    '-l',
    '-z',
    `refs/heads/${branch}`,
  ]);
  return new Map(
    listed
      .split('\0')
      .filter(Boolean)
      .map(line => {
        const [facts = '', path = ''] = line.split(/\t(.*)/s);
        const [mode, , , size] = facts.split(/ +/);
        return [path, { mode: mode as FileMode, size: Number(size) }];
      }),
  );
}
