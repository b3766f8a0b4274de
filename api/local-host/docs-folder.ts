import { type LocalHostContext, repositoryFolder } from './context.ts';
import { git } from './git-command.ts';

/** Where a repository's pages are: the folder of the navigation file; else `docs`, where there is one; else the root (''). */
export async function findDocsFolder(at: Pick<LocalHostContext, 'dataDir'>, repository: string, branch: string): Promise<string> {
  const paths = (await git(['--git-dir', repositoryFolder(at, repository), 'ls-tree', '-r', '--name-only', '-z', `refs/heads/${branch}`]).catch(() => '')).split('\0');
  const navigation = paths.filter(path => /(^|\/)(docs|mint)\.json$/.test(path)).sort((a, b) => a.split('/').length - b.split('/').length)[0];
  if (navigation !== undefined) return navigation.split('/').slice(0, -1).join('/');
  return paths.some(path => path.startsWith('docs/')) ? 'docs' : '';
}
