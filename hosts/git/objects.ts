import { createHash } from 'node:crypto';
import type { Author } from '../../shared/jobs/commit-author.ts';

/** A git object, not yet sent: its id and its bytes without the header. */
export interface GitObject {
  type: 'commit' | 'tree' | 'blob';
  id: string;
  bytes: Buffer;
}

/** One line of a tree. `mode` as git writes it: `40000` for a folder. */
export interface TreeLine {
  name: string;
  mode: string;
  id: string;
}

export function gitObject(type: GitObject['type'], bytes: Buffer): GitObject {
  const id = createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
  return { type, id, bytes };
}

/** A tree in git's order: by bytes, a folder as if its name ended in a slash. */
export function treeObject(lines: TreeLine[]): GitObject {
  const sorted = lines
    .map(line => ({
      ...line,
      key: Buffer.from(line.mode === '40000' ? `${line.name}/` : line.name),
    }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  const parts = sorted.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, 'hex'),
  ]);
  return gitObject('tree', Buffer.concat(parts));
}

/**
 * A commit with one parent; `time` in Unix seconds. The same input gives the same id, on any
 * machine.
 */
export function commitObject(commit: {
  tree: string;
  parent: string;
  author: Author;
  time: number;
  message: string;
}): GitObject {
  const who = `${commit.author.name} <${commit.author.email}> ${commit.time} +0000`;
  const message = commit.message.endsWith('\n') ? commit.message : `${commit.message}\n`;
  return gitObject(
    'commit',
    Buffer.from(
      `tree ${commit.tree}\nparent ${commit.parent}\nauthor ${who}\ncommitter ${who}\n\n${message}`,
    ),
  );
}

/** Paths in git's order, which is by bytes. */
export function inGitOrder<T>(entries: Iterable<[string, T]>): Map<string, T> {
  const keyed = [...entries].map(entry => ({ entry, key: Buffer.from(entry[0]) }));
  return new Map(keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ entry }) => entry));
}
