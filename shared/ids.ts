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
  | 'upl';

/**
 * A new id: prefix, then 26 characters of lower-case Crockford base 32
 * (48 bits of Unix milliseconds, 80 random bits), so ids sort by creation.
 */
export function newId<P extends IdPrefix>(prefix: P, now: number = Date.now()): `${P}_${string}` {
  const random = randomBytes(10);
  let bits = (BigInt(now) << 80n) | BigInt(`0x${random.toString('hex')}`);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = CROCKFORD[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return `${prefix}_${text}`;
}
