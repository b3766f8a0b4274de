import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { ConfigError } from '../errors.ts';
import { wordPiece } from './wordpiece.ts';

/** Vectors of length 1, one a text: texts that mean the same lie near each other. */
export type Embed = (texts: string[]) => Promise<Float32Array[]>;

/** The model reads no further than this; a section's beginning says what it is about. */
const MOST_TOKENS = 256;
/** More at once is no faster, and takes a gigabyte. */
const BATCH = 4;

/** The little of onnxruntime-node that we use: it is 288 MB, so that whoever wants it installs it beside the model. */
interface Runtime {
  InferenceSession: { create(path: string, options: object): Promise<Session> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => object;
}
interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(feeds: Record<string, object>): Promise<Record<string, { data: Float32Array; dims: readonly number[] }>>;
}

/**
 * all-MiniLM-L6-v2 (or a model of its form) from a folder that holds `model.onnx` and `vocab.txt`, with onnxruntime-node
 * installed there or in the project. Throws `ConfigError` that says which of them is missing.
 */
export async function openLocalModel(folder: string): Promise<Embed> {
  const missing = (what: string, cause: unknown) => new ConfigError(
    `EMBEDDINGS=local needs ${what} in ${folder}: ${cause instanceof Error ? cause.message.split('\n')[0] : 'unreadable'}.`);
  const vocabulary = await readFile(join(folder, 'vocab.txt'), 'utf8').catch((error: unknown) => { throw missing('vocab.txt', error); });
  let runtime: Runtime;
  try {
    runtime = createRequire(join(resolve(folder), 'package.json'))('onnxruntime-node') as Runtime;
  } catch (error) {
    throw missing('onnxruntime-node (npm install --prefix that folder)', error);
  }
  const session = await runtime.InferenceSession.create(join(folder, 'model.onnx'), { intraOpNumThreads: 1 })
    .catch((error: unknown) => { throw missing('model.onnx', error); });
  const tokenizer = wordPiece(vocabulary);

  return async (texts) => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += BATCH) {
      vectors.push(...await embedBatch(runtime, session, texts.slice(at, at + BATCH).map((text) => tokenizer.encode(text, MOST_TOKENS))));
    }
    return vectors;
  };
}

async function embedBatch(runtime: Runtime, session: Session, batch: number[][]): Promise<Float32Array[]> {
  const length = Math.max(...batch.map((ids) => ids.length));
  const filled = (value: (ids: number[], i: number) => number) => new runtime.Tensor(
    'int64', BigInt64Array.from(batch.flatMap((ids) => Array.from({ length }, (_, i) => BigInt(value(ids, i))))), [batch.length, length]);
  const inputs: Record<string, object> = {
    input_ids: filled((ids, i) => ids[i] ?? 0),
    attention_mask: filled((ids, i) => (i < ids.length ? 1 : 0)),
    token_type_ids: filled(() => 0),
  };
  const output = await session.run(Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]!])));
  const [states] = Object.values(output);
  if (!states) throw new Error('The model gave no output.');
  const width = states.dims.at(-1) ?? 0;
  return batch.map((ids, n) => pool(states, n, width, length, ids.length));
}

/** A text's vector: the mean over its own tokens where the model gives one a token, brought to length 1. */
function pool(states: { data: Float32Array; dims: readonly number[] }, n: number, width: number, length: number, tokens: number): Float32Array {
  const vector = new Float32Array(width);
  const perToken = states.dims.length === 3;
  for (let token = 0; token < (perToken ? tokens : 1); token++) {
    const from = (perToken ? n * length + token : n) * width;
    for (let i = 0; i < width; i++) vector[i]! += states.data[from + i]!;
  }
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => value / norm);
}
