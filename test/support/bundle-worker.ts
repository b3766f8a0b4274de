import { build, type Plugin } from 'esbuild';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Beside the packages, which it imports by name. */
const FOLDER = join(import.meta.dirname, '../../node_modules/.cache/docent-test');

/** Our modules read files that lie beside them. */
const keepFolders: Plugin = {
  name: 'keep-folders',
  setup(bundler) {
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll(
        'import.meta.dirname',
        JSON.stringify(dirname(path)),
      ),
      loader: 'ts',
    }));
  },
};

/**
 * `worker-child.ts` as one file, and its path: tests start dozens, and each would load two hundred
 * modules through tsx, for two seconds of CPU.
 */
export async function bundleWorker(): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `worker-${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'worker-child.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    plugins: [keepFolders],
  });
  return outfile;
}
