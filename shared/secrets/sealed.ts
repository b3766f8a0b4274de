import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { ConfigError } from '../errors.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what others keep for us (AES-256-GCM). `about` names what it is of: it opens as nothing
 * else. `encryptionKey` is the setting ENCRYPTION_KEY.
 */
export function seal(encryptionKey: string, about: string, plain: string | Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(encryptionKey), iv).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Undefined if it was sealed with none of the keys, about something else, or changed. */
export function opened(keys: readonly string[], about: string, sealed: Buffer): Buffer | undefined {
  const tagEnd = IV_BYTES + TAG_BYTES;
  for (const key of keys) {
    try {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(key), sealed.subarray(0, IV_BYTES));
      decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(IV_BYTES, tagEnd));
      return Buffer.concat([decipher.update(sealed.subarray(tagEnd)), decipher.final()]);
    } catch {
      // perhaps by the next one
    }
  }
  return undefined;
}

/** Of a text that the database keeps. Throws `ConfigError` instead. */
export function unseal(keys: readonly string[], about: string, sealed: Buffer): string {
  const text = opened(keys, about, sealed);
  if (text) return text.toString('utf8');
  throw new ConfigError(
    'ENCRYPTION_KEY does not open what the database keeps: set the key that it was stored with.',
  );
}

/** The key that encrypts, then those that were set before it; undefined: there is none. */
export function encryptionKeys(
  config: Pick<Config, 'ENCRYPTION_KEY' | 'ENCRYPTION_KEYS_BEFORE'>,
): string[] | undefined {
  const { ENCRYPTION_KEY: key, ENCRYPTION_KEYS_BEFORE: before } = config;
  const others = before.split(',').map(each => each.trim());
  return key === undefined ? undefined : [key, ...others.filter(each => each !== '')];
}

function keyOf(encryptionKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', encryptionKey, 'docent', 'sealed secrets', 32));
}
