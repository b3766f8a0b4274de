import { randomBytes, scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ConfigError } from '../../shared/errors.ts';
import { seal, unseal } from '../../shared/secrets/sealed.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';

/** The data folder's `encryption.key` in a backup, sealed with a passphrase. */
export const SEALED_KEY = 'encryption.key.sealed';
const ABOUT = 'docent backup';
const SHORTEST = 12;
const SALT_BYTES = 16;

/** The text of `SEALED_KEY`. */
export function sealKey(passphrase: string, key: string): string {
  const salt = randomBytes(SALT_BYTES);
  const sealed = seal(derived(passphrase, salt), ABOUT, key);
  return `${Buffer.concat([salt, sealed]).toString('base64')}\n`;
}

/** Throws `CommandFailure` if it was sealed with another passphrase. */
export function openKey(passphrase: string, text: string): string {
  const bytes = Buffer.from(text, 'base64');
  const salt = bytes.subarray(0, SALT_BYTES);
  try {
    return unseal([derived(passphrase, salt)], ABOUT, bytes.subarray(SALT_BYTES));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandFailure(
      'The passphrase does not open the encryption key of the backup. Nothing was restored.',
      EXIT.usage,
    );
  }
}

/** The first line of a file. */
export async function readPassphrase(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new CommandFailure(`The passphrase file ${path} cannot be read.`, EXIT.usage);
  });
  const passphrase = text.split(/\r?\n/)[0] ?? '';
  if (passphrase.length >= SHORTEST) return passphrase;
  throw new CommandFailure(
    `The first line of ${path} must be a passphrase of at least ${SHORTEST} characters.`,
    EXIT.usage,
  );
}

function derived(passphrase: string, salt: Buffer): string {
  // 128 MB and about half a second for each guess.
  const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
  return scryptSync(passphrase, salt, 32, cost).toString('base64');
}
