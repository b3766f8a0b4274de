import { inflateSync } from 'node:zlib';
import { setImmediate as breathe } from 'node:timers/promises';
import { type GitObject, gitObject } from './objects.ts';

const TYPES: Record<number, GitObject['type']> = { 1: 'commit', 2: 'tree', 3: 'blob' };
const REF_DELTA = 7;
/** Inflating a thousand objects takes some 50 ms; other activities want their turn. */
const OBJECTS_A_TURN = 200;

interface Delta {
  base: string;
  bytes: Buffer;
}

/**
 * The objects of a packfile, in no particular order. Ids are computed, so a damaged object has
 * another one. Deltas name their base by id (we ask for no offsets) and the base is in the pack,
 * except where `stored` has it. Throws where the pack cannot be read.
 */
export async function* objectsIn(
  pack: Buffer,
  stored: (id: string) => Promise<GitObject | undefined>,
): AsyncGenerator<GitObject> {
  if (pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2)
    throw new Error('not a packfile');
  const bases = new Map<string, GitObject>();
  let deltas: Delta[] = [];
  let at = 12;
  for (let left = pack.readUInt32BE(8); left > 0; left -= 1) {
    if (left % OBJECTS_A_TURN === 0) await breathe();
    const entry = entryAt(pack, at);
    at = entry.end;
    if ('base' in entry) {
      deltas.push(entry);
      continue;
    }
    const object = gitObject(entry.type, entry.bytes);
    bases.set(object.id, object);
    yield object;
  }
  while (deltas.length > 0) {
    const unresolved: Delta[] = [];
    for (const delta of deltas) {
      const base = bases.get(delta.base) ?? (await stored(delta.base));
      if (!base) {
        unresolved.push(delta);
        continue;
      }
      const object = gitObject(base.type, applyDelta(base.bytes, delta.bytes));
      bases.set(object.id, object);
      yield object;
    }
    if (unresolved.length === deltas.length)
      throw new Error('the packfile lacks the base of a delta');
    deltas = unresolved;
  }
}

type Entry = { end: number; bytes: Buffer } & ({ type: GitObject['type'] } | { base: string });

function entryAt(pack: Buffer, start: number): Entry {
  let at = start;
  let byte = pack.readUInt8(at++);
  const kind = (byte >> 4) & 7;
  while (byte & 0x80) byte = pack.readUInt8(at++); // the rest of the size, which zlib tells as well
  let base: string | undefined;
  if (kind === REF_DELTA) {
    base = pack.toString('hex', at, at + 20);
    at += 20;
  }
  const inflated = inflateSync(pack.subarray(at), { info: true }) as unknown as {
    buffer: Buffer;
    engine: { bytesWritten: number };
  };
  const end = at + inflated.engine.bytesWritten;
  if (base !== undefined) return { end, bytes: inflated.buffer, base };
  const type = TYPES[kind];
  if (!type) throw new Error(`the packfile holds an object of kind ${kind}`);
  return { end, bytes: inflated.buffer, type };
}

/** Git's delta: two sizes, then pieces of the base and bytes of its own. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const size = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta.readUInt8(at++);
      value += (byte & 0x7f) * 2 ** shift;
      if (!(byte & 0x80)) return value;
    }
  };
  const number = (flags: number, bits: number): number => {
    let value = 0;
    for (let bit = 0; bit < bits; bit += 1)
      if (flags & (1 << bit)) value += delta.readUInt8(at++) * 2 ** (8 * bit);
    return value;
  };
  if (size() !== base.length) throw new Error('a delta does not fit its base');
  const length = size();
  const parts: Buffer[] = [];
  while (at < delta.length) {
    const flags = delta.readUInt8(at++);
    if (flags & 0x80) {
      const offset = number(flags & 0x0f, 4);
      const count = number((flags >> 4) & 0x07, 3) || 0x10000;
      parts.push(base.subarray(offset, offset + count));
    } else {
      parts.push(delta.subarray(at, at + flags));
      at += flags;
    }
  }
  const result = Buffer.concat(parts);
  if (result.length !== length) throw new Error('a delta gives another length than it says');
  return result;
}
