import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

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

export interface Author {
  name: string;
  email: string;
}

const PACK_TYPE = { commit: 1, tree: 2, blob: 3 };

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

/** A packfile (version 2) of whole objects, each once. */
export function packOf(objects: GitObject[]): Buffer {
  const unique = [...new Map(objects.map(object => [object.id, object])).values()];
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(unique.length, 8);
  const body = Buffer.concat([
    header,
    ...unique.flatMap(object => [packHeader(object), deflateSync(object.bytes)]),
  ]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** Type and size: four bits of size in the first byte, seven in each that follows. */
function packHeader({ type, bytes }: GitObject): Buffer {
  const header: number[] = [];
  let rest = Math.floor(bytes.length / 16);
  let byte = (PACK_TYPE[type] << 4) | (bytes.length % 16);
  while (rest > 0) {
    header.push(byte | 0x80);
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  header.push(byte);
  return Buffer.from(header);
}
