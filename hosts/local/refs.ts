import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '../git/git-command.ts';

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * The commits that branches of a repository are at, by name; a branch that does not exist is left
 * out. Read from the files of the repository, because a job asks a dozen times and git takes 10 ms
 * to start; if they are not plain files, git is asked.
 */
export async function readBranches(
  folder: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const wanted = names.filter(isPlain);
  const found = new Map<string, string>();
  await stat(join(folder, 'HEAD')); // a repository that is gone has not lost its branches
  if (await isReftable(folder)) return await askGit(folder, wanted);
  // Git writes a packed ref before it removes its file, hence in this order.
  const absent: string[] = [];
  for (const name of wanted) {
    const text = (await textOf(join(folder, 'refs', 'heads', name)))?.trim();
    if (text === undefined) absent.push(name);
    else if (COMMIT.test(text)) found.set(name, text);
    else if (text.startsWith('ref: ')) return await askGit(folder, wanted);
    // Git warns of it and lists the others, as if the branch had been deleted.
    else throw new Error(`The file of the branch ${name} is damaged: see git fsck.`);
  }
  if (absent.length === 0) return found;
  const packed = `\n${(await textOf(join(folder, 'packed-refs'))) ?? ''}`;
  for (const name of absent) {
    const end = packed.indexOf(` refs/heads/${name}\n`);
    if (end >= 0) found.set(name, packed.slice(packed.lastIndexOf('\n', end) + 1, end));
  }
  return found;
}

/** Other names cannot be branches. */
function isPlain(name: string): boolean {
  return name
    .split('/')
    .every(part => part !== '' && !part.startsWith('.') && !/[\0\n]/.test(part));
}

async function isReftable(folder: string): Promise<boolean> {
  return (await ifExists(stat(join(folder, 'reftable')))) !== undefined;
}

/** Undefined if there is no such file; one that cannot be read is an error. */
function textOf(path: string): Promise<string | undefined> {
  return ifExists(readFile(path, 'utf8'));
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

async function ifExists<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: NodeJS.ErrnoException) => {
    if (ABSENT.has(error.code ?? '')) return undefined;
    throw error;
  });
}

async function askGit(folder: string, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  const lines = await git([
    ...['--git-dir', folder, 'for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', '--'],
    ...names.map(name => `refs/heads/${name}`),
  ]);
  const found = lines.split('\n').flatMap(line => {
    const [commit = '', ...name] = line.split(' ');
    return names.includes(name.join(' ')) ? [[name.join(' '), commit] as const] : [];
  });
  return new Map(found);
}
