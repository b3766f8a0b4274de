import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ConfigError } from '../errors.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret that the database keeps (AES-256-GCM). `about` names what it is of: it opens as
 * nothing else. `encryptionKey` is the setting ENCRYPTION_KEY.
 */
export function seal(encryptionKey: string, about: string, text: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(encryptionKey), iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws `ConfigError` if it was sealed with another key, about something else, or changed. */
export function unseal(encryptionKey: string, about: string, sealed: Buffer): string {
  const tagEnd = IV_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv(
      'aes-256-gcm',
      keyOf(encryptionKey),
      sealed.subarray(0, IV_BYTES),
    );
    decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(IV_BYTES, tagEnd));
    const text = [decipher.update(sealed.subarray(tagEnd)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch {
    throw new ConfigError(
      'ENCRYPTION_KEY does not open what the database keeps: set the key that it was stored with.',
    );
  }
}

function keyOf(encryptionKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', encryptionKey, 'docent', 'sealed secrets', 32));
}
