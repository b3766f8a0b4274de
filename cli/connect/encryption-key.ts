import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The key that `docent start` made for its data folder; undefined if it made none. */
export function readEncryptionKey(dataDir: string): string | undefined {
  try {
    return readFileSync(pathIn(dataDir), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The same, made now if there is none. Only its owner can read the file. */
export function ensureEncryptionKey(dataDir: string): string {
  const known = readEncryptionKey(dataDir);
  if (known !== undefined) return known;
  const key = randomBytes(32).toString('base64url');
  writeEncryptionKey(dataDir, key);
  return key;
}

export function writeEncryptionKey(dataDir: string, key: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(pathIn(dataDir), `${key}\n`, { mode: 0o600 });
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'encryption.key');
}
