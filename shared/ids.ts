import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** The kinds of ids; the prefix shows a person which table to look in. */
export type IdPrefix =
  | 'org'
  | 'prj'
  | 'key'
  | 'job'
  | 'msg'
  | 'ent'
  | 'rev'
  | 'call'
  | 'pub'
  | 'pr'
  | 'prep'
  | 'thread'
  | 'tmsg'
  | 'req'
  | 'usr'
  | 'ses'
  | 'inv'
  | 'q'
  | 'cmt'
  | 'aud'
  | 'idx'
  | 'upl'
  | 'aut'
  | 'run'
  | 'whe'
  | 'evt'
  | 'fb';

let last = { now: 0, random: 0n };

/**
 * A new id: prefix, then 26 characters of lower-case Crockford base 32
 * (48 bits of Unix milliseconds, 80 random bits), so ids sort by creation: those of one process
 * also within a millisecond, where each is a random step above the one before.
 */
export function newId<P extends IdPrefix>(prefix: P, now: number = Date.now()): `${P}_${string}` {
  const next = now === last.now ? last.random + randomBits(6) + 1n : randomBits(10);
  const random = next >> 80n === 0n ? next : randomBits(10);
  last = { now, random };
  let bits = (BigInt(now) << 80n) | random;
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = CROCKFORD[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}

function randomBits(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString('hex')}`);
}

/**
 * Whether text from a path can be an id at all; anything else need not reach the database (U+0000
 * would be an error there).
 */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(text);
}
