import { docsFolderOf } from '../../shared/site/docs-folder.ts';
import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git } from './git-command.ts';

/** Where the pages of a repository are, at a branch; '' is the root. */
export async function findDocsFolder(at: Pick<LocalHostContext, 'dataDir'>, repository: string, branch: string): Promise<string> {
  const paths = await git(['--git-dir', repositoryFolder(at, repository), 'ls-tree', '-r', '--name-only', '-z', `refs/heads/${branch}`]).catch(() => '');
  return docsFolderOf(paths.split('\0'));
}
