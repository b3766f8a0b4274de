import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { Config } from '../config.ts';
import { ConfigError } from '../errors.ts';
import { encryptionKeys } from './sealed.ts';

const ENCODING = 'binary/encrypted';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ProtoPayload = proto.temporal.api.common.v1.Payload;

type Settings = Pick<Config, 'TEMPORAL_ENCRYPTION' | 'ENCRYPTION_KEY' | 'ENCRYPTION_KEYS_BEFORE'>;

/**
 * Encrypts what Temporal stores of inputs, results, signals, memos and summaries (AES-256-GCM), as
 * Temporal's own samples do: a payload in a payload, with the id of its key. What is not encrypted,
 * such as the signal of a script, passes as it is; so does what none of the keys opens, which the
 * converter then refuses as an unknown encoding.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly encrypts: boolean;
  readonly #keys: readonly { id: string; key: Buffer }[];

  /** The first key encrypts, if `encrypts`; all of them decrypt. */
  constructor(keys: readonly string[], encrypts: boolean) {
    this.encrypts = encrypts;
    this.#keys = keys.map(setting => {
      const key = Buffer.from(hkdfSync('sha256', setting, 'docent', 'temporal payloads', 32));
      return { id: createHash('sha256').update(key).digest('hex').slice(0, 16), key };
    });
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(this.encrypts ? payloads.map(each => this.#sealed(each)) : payloads);
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads.map(each => this.#opened(each)));
  }

  #sealed(payload: Payload): Payload {
    const { id, key } = this.#keys[0]!;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const text = cipher.update(ProtoPayload.encode(payload).finish());
    return {
      metadata: {
        encoding: Buffer.from(ENCODING),
        'encryption-cipher': Buffer.from('AES-256-GCM'),
        'encryption-key-id': Buffer.from(id),
      },
      data: Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]),
    };
  }

  #opened(payload: Payload): Payload {
    const named = (name: string) => Buffer.from(payload.metadata?.[name] ?? []).toString();
    if (named('encoding') !== ENCODING) return payload;
    const found = this.#keys.find(({ id }) => id === named('encryption-key-id'));
    if (!found) return payload;
    const data = Buffer.from(payload.data ?? []);
    try {
      const decipher = createDecipheriv('aes-256-gcm', found.key, data.subarray(0, IV_BYTES));
      decipher.setAuthTag(data.subarray(-TAG_BYTES));
      const text = decipher.update(data.subarray(IV_BYTES, -TAG_BYTES));
      return ProtoPayload.decode(Buffer.concat([text, decipher.final()]));
    } catch {
      return payload;
    }
  }
}

/** Undefined without a key. Throws `ConfigError` if histories are to be encrypted. */
export function encryptionCodec(config: Settings): EncryptionCodec | undefined {
  const keys = encryptionKeys(config);
  if (keys) return new EncryptionCodec(keys, isOn(config));
  if (!isOn(config)) return undefined;
  throw new ConfigError(
    'TEMPORAL_ENCRYPTION needs ENCRYPTION_KEY: the same one for API, workers and commands.',
  );
}

/** For clients and workers alike. Payloads of before are read, whether they are encrypted or not. */
export function dataConverter(config: Settings): DataConverter {
  const codec = encryptionCodec(config);
  return codec ? { payloadCodecs: [codec] } : {};
}

/** Whether new payloads are encrypted. */
function isOn({ TEMPORAL_ENCRYPTION: setting }: Settings): boolean {
  return setting === 'true' || setting === '1';
}
