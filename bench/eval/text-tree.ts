import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { git } from '../../hosts/git/git-command.ts';

/** Larger files are left out of a case: the agent reads none of them as text. */
export const MAX_FILE_BYTES = 1_000_000;

/** The texts of a folder, by path. Binary and large files, links and `.git` are left out. */
export async function readTree(folder: string): Promise<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree: Record<string, string> = {};
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(folder, file).replaceAll(sep, '/');
    if (!entry.isFile() || path === '.git' || path.startsWith('.git/')) continue;
    if ((await stat(file)).size > MAX_FILE_BYTES) continue;
    const bytes = await readFile(file);
    if (isText(bytes)) tree[path] = bytes.toString('utf8');
  }
  return tree;
}

/** The texts of a commit of a checkout on this machine. Throws `GitCommandError` without it. */
export async function readCommit(
  repository: string,
  commit: string,
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-eval-'));
  try {
    const name = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`];
    const id = (await git(['-C', repository, ...name])).trim();
    // In a clone of its own, so that the checkout of a person is not touched.
    const flags = ['--quiet', '--no-checkout', '--shared', '--template='];
    await git(['clone', ...flags, '--', repository, folder]);
    await git(['-C', folder, 'checkout', '--quiet', '--detach', id]);
    return await readTree(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}
