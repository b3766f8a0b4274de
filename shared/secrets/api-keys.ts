import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Admin keys open the agent endpoints of an organization, assistant keys the assistant of one
 * domain.
 */
export type KeyKind = 'admin' | 'assistant';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = { admin: 'svc_', assistant: 'svc_dsc_' } as const;
const BODY_LENGTH = 40; // 238 bits
const CHECKSUM_LENGTH = 6; // 62^6 > 2^32
const FORM = /^(svc_(?:dsc_)?[0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

export interface MintedKey {
  /** The whole token. Shown once, never stored. */
  token: string;
  /** SHA-256 of the token: what is stored. A slow hash would buy nothing for 238 random bits. */
  hash: Buffer;
  /** Prefix, first and last four characters: enough to recognise a key in a list. */
  start: string;
}

/**
 * A new random token: prefix, 40 characters of base 62, and a checksum over both, so that a typo is
 * known without a look-up.
 */
export function mintKey(kind: KeyKind): MintedKey {
  let body: string = PREFIX[kind];
  for (let i = 0; i < BODY_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)];
  const token = body + checksum(body);
  const secret = token.slice(PREFIX[kind].length);
  return {
    token,
    hash: sha256(token),
    start: `${PREFIX[kind]}${secret.slice(0, 4)}…${secret.slice(-4)}`,
  };
}

/**
 * The stored form of a token, or undefined if it is not a token of ours (wrong form or checksum).
 * It does not tell the kind: only the stored key does, never the prefix.
 */
export function hashKey(token: string): Buffer | undefined {
  const [, body, sum] = FORM.exec(token) ?? [];
  return body !== undefined && sum === checksum(body) ? sha256(token) : undefined;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
