import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { Config } from '../config.ts';
import { ConfigError } from '../errors.ts';
import { SEALED } from './sealed-payload.ts';
import { encryptionKeys, opened, seal } from './sealed.ts';

const ABOUT = 'temporal payload';
const NEVER = { encrypts: false, others: 'null' } as const;
const JSON_NULL: Payload = {
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from('null'),
};
const ProtoPayload = proto.temporal.api.common.v1.Payload;

type Settings = Pick<Config, 'TEMPORAL_ENCRYPTION' | 'ENCRYPTION_KEY' | 'ENCRYPTION_KEYS_BEFORE'>;

/**
 * Encrypts what Temporal stores of inputs, results, signals, memos, summaries and failures: a payload
 * in a payload. What is not encrypted, such as the signal of a script, passes as it is. What none of
 * the keys opens passes, too, and a worker refuses it until it has the key; to a client, which lists
 * what others wrote, it is null.
 */
export class EncryptionCodec implements PayloadCodec {
  readonly encrypts: boolean;
  readonly #keys: readonly string[];
  readonly #others: 'refused' | 'null';

  /** The first key encrypts, if `encrypts`; all of them decrypt. `others`: of keys that it lacks. */
  constructor(
    keys: readonly string[],
    { encrypts, others }: { encrypts: boolean; others: 'refused' | 'null' },
  ) {
    this.encrypts = encrypts;
    this.#keys = keys;
    this.#others = others;
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(this.encrypts ? payloads.map(each => this.#sealed(each)) : payloads);
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads.map(each => this.#opened(each)));
  }

  #sealed(payload: Payload): Payload {
    const metadata = { encoding: Buffer.from('binary/encrypted'), [SEALED]: Buffer.from('1') };
    return { metadata, data: seal(this.#keys[0]!, ABOUT, ProtoPayload.encode(payload).finish()) };
  }

  #opened(payload: Payload): Payload {
    if (!payload.metadata?.[SEALED]) return payload;
    const plain = opened(this.#keys, ABOUT, Buffer.from(payload.data ?? []));
    if (plain) return ProtoPayload.decode(plain);
    return this.#others === 'null' ? JSON_NULL : payload;
  }
}

/** Undefined without a key. Throws `ConfigError` if payloads are to be encrypted. */
export function encryptionCodec(
  config: Settings,
  others: 'refused' | 'null',
): EncryptionCodec | undefined {
  const keys = encryptionKeys(config);
  const encrypts = encryptsPayloads(config);
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
export function encryptsPayloads({ TEMPORAL_ENCRYPTION: setting }: Settings): boolean {
  return setting === 'true' || setting === '1';
}
