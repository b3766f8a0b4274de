import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelFolder } from '../../search/embed.ts';

export const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'un',
  '##aff',
  '##able',
  'max',
  '(',
  ')',
  '入',
  'uber',
];

/** Speaks the little of onnxruntime-node that we use; each token's state is its id, and 3. */
const RUNTIME = `
const { readFileSync } = require('node:fs');
exports.Tensor = class {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
};
exports.InferenceSession = {
  create: async path => {
    readFileSync(path);
    return {
      inputNames: ['input_ids', 'attention_mask', 'token_type_ids'],
      run: async ({ input_ids: { data, dims } }) => ({
        last_hidden_state: {
          dims: [...dims, 2],
          data: Float32Array.from([...data].flatMap(id => [Number(id), 3])),
        },
      }),
    };
  },
};
`;

/** Stands for what `docent embeddings install` downloads; returns the folder. */
export async function fakeModel(dataDir: string): Promise<string> {
  const folder = modelFolder(dataDir);
  const runtime = join(folder, 'node_modules', 'onnxruntime-node');
  await mkdir(runtime, { recursive: true });
  await writeFile(join(runtime, 'package.json'), '{ "main": "index.js", "type": "commonjs" }');
  await writeFile(join(runtime, 'index.js'), RUNTIME);
  await writeFile(join(folder, 'model.onnx'), '');
  await writeFile(join(folder, 'vocab.txt'), VOCABULARY.join('\n'));
  return folder;
}
