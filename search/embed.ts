import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { Config } from '../shared/config.ts';
import { ConfigError } from '../shared/errors.ts';
import { wordPiece } from './wordpiece.ts';

/** Vectors of length 1, one a text: texts that mean the same lie near each other. */
export type Embed = (texts: string[]) => Promise<Float32Array[]>;

/** The model reads no further than this; a section's beginning says what it is about. */
const MOST_TOKENS = 256;
/** Where `docent embeddings install` puts the model. */
export function modelFolder(dataDir: string): string {
  return join(dataDir, 'models', 'minilm');
}

/**
 * This installation's model, or undefined if embeddings are off; then nothing is loaded. Throws
 * as `openLocalModel`.
 */
export async function openEmbeddings({
  EMBEDDINGS,
  DATA_DIR,
}: Pick<Config, 'EMBEDDINGS' | 'DATA_DIR'>): Promise<Embed | undefined> {
  return EMBEDDINGS === 'local' ? await openLocalModel(modelFolder(DATA_DIR)) : undefined;
}

/**
 * The little of onnxruntime-node that we use: it is 288 MB, so users who want it install it
 * beside the model.
 */
interface Runtime {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => object;
}
interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(
    feeds: Record<string, object>,
  ): Promise<Record<string, { data: Float32Array; dims: readonly number[] }>>;
}

/**
 * all-MiniLM-L6-v2 (or a model of its form) from a folder that holds `model.onnx` and `vocab.txt`,
 * with onnxruntime-node installed there or above. Throws `ConfigError` that says which of them is
 * missing, and how to get it.
 */
export async function openLocalModel(folder: string): Promise<Embed> {
  const vocabulary = await readFile(join(folder, 'vocab.txt'), 'utf8').catch(
    missing(folder, 'vocab.txt'),
  );
  const session = await openSession(folder);
  const tokenizer = wordPiece(vocabulary);
  return async texts => {
    const vectors: Float32Array[] = [];
    // One at a time: a run holds up the whole process, and several texts in one run take as long as
    // one after the other.
    for (const text of texts) vectors.push(await session(tokenizer.encode(text, MOST_TOKENS)));
    return vectors;
  };
}

async function openSession(folder: string): Promise<(ids: number[]) => Promise<Float32Array>> {
  let runtime: Runtime;
  try {
    runtime = createRequire(join(resolve(folder), 'package.json'))('onnxruntime-node') as Runtime;
  } catch (error) {
    return missing(folder, 'onnxruntime-node')(error);
  }
  const session = await runtime.InferenceSession.create(join(folder, 'model.onnx'), {
    intraOpNumThreads: 1,
  }).catch(missing(folder, 'model.onnx'));
  return async ids => {
    const tensor = (value: (id: number) => number) =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, id => BigInt(value(id))),
        [1, ids.length],
      );
    const inputs: Record<string, object> = {
      input_ids: tensor(id => id),
      attention_mask: tensor(() => 1),
      token_type_ids: tensor(() => 0),
    };
    const output = await session.run(
      Object.fromEntries(session.inputNames.map(name => [name, inputs[name]!])),
    );
    const [states] = Object.values(output);
    if (!states) throw new Error('The model gave no output.');
    return mean(states.data, states.dims.at(-1) ?? 0);
  };
}

function missing(folder: string, what: string): (cause: unknown) => never {
  return cause => {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : 'unreadable';
    throw new ConfigError(
      `EMBEDDINGS=local needs ${what} in ${folder} (${reason}). ` +
        '"docent embeddings install" puts it there; or set EMBEDDINGS=off.',
    );
  };
}

/**
 * A text's vector: the mean over its tokens (or the one vector, if that is all the model gives),
 * brought to length 1.
 */
function mean(states: Float32Array, width: number): Float32Array {
  const vector = new Float32Array(width);
  for (const [i, value] of states.entries()) vector[i % width]! += value;
  const length = Math.hypot(...vector) || 1;
  return vector.map(value => value / length);
}
