import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits for a cookie or a link, and the hash of it that is stored. */
export function newSecretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashSecretToken(token) };
}

/** SHA-256: a slow hash would buy nothing for random bits. */
export function hashSecretToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
