import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git, GitCommandError } from '../../hosts/git/git-command.ts';
import type { BackupFolder } from './backup-folder.ts';
import { isAbsent } from './copy-file.ts';

/** What a running push has not finished. */
const UNFINISHED = /\.lock$|^objects\/(?:.*\/)?(?:tmp_|incoming-)/;

/**
 * Copies the repositories of the built-in host while jobs push to them; returns the names of those
 * whose copy lacks objects, since the repository itself does.
 *
 * Refs come first: git adds objects before the refs that need them, and nothing here removes any.
 * Loose refs come before packed ones, so that one that is packed meanwhile is in either.
 */
export async function copyRepositories(dataDir: string, backup: BackupFolder): Promise<string[]> {
  const folder = join(dataDir, 'repositories');
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  await backup.folder('repositories');
  const damaged: string[] = [];
  for (const name of names.filter(each => each.endsWith('.git'))) {
    const [from, path] = [join(folder, name), `repositories/${name}`];
    await backup.folder(path);
    await backup.tree(join(from, 'refs'), `${path}/refs`, ref => ref.endsWith('.lock'));
    await backup.file(join(from, 'packed-refs'), `${path}/packed-refs`);
    await backup.tree(
      from,
      path,
      relative => /^(?:refs|packed-refs)$/.test(relative) || UNFINISHED.test(relative),
    );
    if (!(await isWhole(backup.at(path)))) damaged.push(name);
  }
  return damaged;
}

/** Whether it has every object that its refs need. */
async function isWhole(repository: string): Promise<boolean> {
  try {
    await git(['--git-dir', repository, 'fsck', '--connectivity-only', '--no-dangling']);
    return true;
  } catch (error) {
    if (error instanceof GitCommandError) return false;
    throw error;
  }
}
