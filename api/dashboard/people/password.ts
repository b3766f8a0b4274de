import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * 32 MiB and about 0.2 s a try: what OWASP gives as equal to N = 2^17 with p = 1, at a quarter of
 * the memory.
 */
const N = 2 ** 15;
const R = 8;
const P = 3;
const KEY_LENGTH = 32;

/** The stored form: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, { N, r: R, p: P }, KEY_LENGTH);
  return ['scrypt', N, R, P, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Without a stored form (no such e-mail, or no password) it takes as long, and is false. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const [, n, r, p, salt = '', key = ''] = (stored ?? NOBODY).split('$');
  const expected = Buffer.from(key, 'base64url');
  const given = await derive(
    password,
    Buffer.from(salt, 'base64url'),
    { N: Number(n), r: Number(r), p: Number(p) },
    expected.length,
  );
  return timingSafeEqual(given, expected) && typeof stored === 'string';
}

const NOBODY = [
  'scrypt',
  N,
  R,
  P,
  randomBytes(16).toString('base64url'),
  randomBytes(KEY_LENGTH).toString('base64url'),
].join('$');

/** One at a time: a burst of sign-ins must not take the thread pool from file and name look-ups. */
let last: Promise<unknown> = Promise.resolve();

async function derive(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
  length: number,
): Promise<Buffer> {
  const mine = last.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(
          password.normalize('NFKC'),
          salt,
          length,
          { ...cost, maxmem: 256 * cost.N * cost.r },
          (error, key) => (error ? reject(error) : resolve(key)),
        );
      }),
  );
  last = mine.catch(() => undefined);
  return await mine;
}
