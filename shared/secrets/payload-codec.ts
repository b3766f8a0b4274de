import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { Config } from '../config.ts';
import { KEY_ID } from './payload-key.ts';
import { ConfigError } from '../errors.ts';
import { encryptionKeys } from './sealed.ts';

const ENCODING = 'binary/encrypted';
const NEVER = { encrypts: false, others: 'null' } as const;
const JSON_NULL: Payload = {
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from('null'),
};
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ProtoPayload = proto.temporal.api.common.v1.Payload;

type Settings = Pick<Config, 'TEMPORAL_ENCRYPTION' | 'ENCRYPTION_KEY' | 'ENCRYPTION_KEYS_BEFORE'>;

/**
 * Encrypts what Temporal stores of inputs, results, signals, memos and summaries (AES-256-GCM), as
 * Temporal's own samples do: a payload in a payload, with the id of its key. What is not encrypted,
 * such as the signal of a script, passes as it is. What none of the keys opens passes, too, and a
 * worker refuses it until it has the key; to a client, which lists what others wrote, it is null.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly encrypts: boolean;
  readonly #others: 'refused' | 'null';
  readonly #keys: readonly { id: string; key: Buffer }[];

  /** The first key encrypts, if `encrypts`; all of them decrypt. `others`: of keys that it lacks. */
  constructor(
    keys: readonly string[],
    { encrypts, others }: { encrypts: boolean; others: 'refused' | 'null' },
  ) {
    this.encrypts = encrypts;
    this.#others = others;
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
        [KEY_ID]: Buffer.from(id),
      },
      data: Buffer.concat([iv, text, cipher.final(), cipher.getAuthTag()]),
    };
  }

  #opened(payload: Payload): Payload {
    const named = (name: string) => Buffer.from(payload.metadata?.[name] ?? []).toString();
    if (named('encoding') !== ENCODING) return payload;
    const unopened = this.#others === 'null' ? JSON_NULL : payload;
    const found = this.#keys.find(({ id }) => id === named(KEY_ID));
    if (!found) return unopened;
    const data = Buffer.from(payload.data ?? []);
    try {
      const decipher = createDecipheriv('aes-256-gcm', found.key, data.subarray(0, IV_BYTES));
      decipher.setAuthTag(data.subarray(-TAG_BYTES));
      const text = decipher.update(data.subarray(IV_BYTES, -TAG_BYTES));
      return ProtoPayload.decode(Buffer.concat([text, decipher.final()]));
    } catch {
      return unopened;
    }
  }
}

/** Undefined without a key. Throws `ConfigError` if payloads are to be encrypted. */
export function encryptionCodec(
  config: Settings,
  others: 'refused' | 'null',
): EncryptionCodec | undefined {
  const keys = encryptionKeys(config);
  const encrypts = isOn(config);
  if (keys) return new EncryptionCodec(keys, { encrypts, others });
  if (!encrypts) return undefined;
  throw new ConfigError(
    'TEMPORAL_ENCRYPTION needs ENCRYPTION_KEY: the same one for API, workers and commands.',
  );
}

/** Of a worker. Payloads of before are read, whether they are encrypted or not. */
export function workerConverter(config: Settings): DataConverter {
  const codec = encryptionCodec(config, 'refused');
  return codec ? { payloadCodecs: [codec] } : {};
}

/** Of a client. */
export function clientConverter(config: Settings): DataConverter {
  const codec = encryptionCodec(config, 'null') ?? new EncryptionCodec([], NEVER);
  return { payloadCodecs: [codec] };
}

/** Of a client whose payloads are names and ids, in what outlives every key. */
export const plainConverter: DataConverter = {
  payloadCodecs: [new EncryptionCodec([], NEVER)],
};

/** Whether new payloads are encrypted. */
function isOn({ TEMPORAL_ENCRYPTION: setting }: Settings): boolean {
  return setting === 'true' || setting === '1';
}
