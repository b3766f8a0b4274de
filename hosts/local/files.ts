import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Problem } from '../../shared/errors.ts';
import type { FileMode, Snapshot, TreeEntry } from '../../shared/workspace.ts';
import type { GuardedSource } from '../host-definition.ts';
import { copySource } from './copy-source.ts';
import { git, spawnGit } from '../git/git-command.ts';
import { ObjectReader } from '../git/object-reader.ts';

/** For a look at a source: nobody waits for a docs repository that is larger. */
const LIMITS = { timeoutMs: 60_000, fileBytes: 200e6 };
const MOST_FILES = 100_000;
/** Characters of all paths with what git says of each: a few names can make any number of them. */
const LONGEST_LISTING = 32e6;

/** Works with the files that a copy of a source would have. The copy is removed afterwards. */
export async function withFilesOfSource<T>(
  source: string | GuardedSource,
  branch: string | undefined,
  work: (files: Snapshot) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-look-'));
  try {
    const found = await copySource(folder, source, { branch, limits: LIMITS });
    return await withFilesAt(folder, found, work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Works with the files at a branch of a bare repository. */
export async function withFilesAt<T>(
  folder: string,
  branch: string,
  work: (files: Snapshot) => Promise<T>,
): Promise<T> {
  const at = ['--git-dir', folder];
  const revision = `refs/heads/${branch}^{commit}`;
  const commit = await git([...at, 'rev-parse', '--verify', '--end-of-options', revision]).then(
    text => text.trim(),
    (cause: unknown) => {
      const message = `is not a branch of the repository`;
      throw new Problem('invalid_request', `${branch} ${message}.`, {
        errors: [{ path: 'baseRef', message }],
        cause,
      });
    },
  );
  const entries = await entriesOf(spawnGit([], [...at, 'ls-tree', '-r', '-l', '-z', commit]));
  const contents = new ObjectReader(folder);
  try {
    return await work({
      commit,
      entries,
      read: async path => {
        const entry = entries.get(path);
        return entry && entry.mode !== '160000' ? await contents.read(entry.id) : undefined;
      },
    });
  } finally {
    contents.close();
  }
}

/** Of `git ls-tree -r -l -z`: mode, type, id, size, a tab and the path. */
async function entriesOf(listing: ChildProcessWithoutNullStreams): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  // Also where it could not be started. Half a list would be taken for a smaller site.
  const isWhole = once(listing, 'close').then(
    ([code]) => code === 0,
    () => false,
  );
  let rest = '';
  let length = 0;
  listing.stdout.setEncoding('utf8');
  for await (const chunk of listing.stdout as AsyncIterable<string>) {
    if ((length += chunk.length) > LONGEST_LISTING) {
      listing.kill();
      throw new Problem('invalid_request', 'The paths of the repository are too long.');
    }
    const lines = (rest + chunk).split('\0');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, mode, id, size, path] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined || id === undefined || path === undefined) continue;
      entries.set(path, { id, mode: mode as FileMode, size: Number(size) || 0 });
    }
    if (entries.size <= MOST_FILES) continue;
    listing.kill();
    throw new Problem('invalid_request', `The repository has more than ${MOST_FILES} files.`);
  }
  if (!(await isWhole))
    throw new Problem('unavailable', 'git cannot list all files of the repository.');
  return entries;
}
