import { build, type Plugin } from 'esbuild';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Beside the packages, which they import by name. */
const FOLDER = join(ROOT, 'node_modules/.cache/docent-test');

/** What tests start as processes, by the names that `testProgram` gives. */
const PROGRAMS = {
  docent: 'cli/docent.ts',
  eval: 'bench/eval/main.ts',
  'eval-gate': 'bench/eval/gate.ts',
  worker: 'test/support/worker-child.ts',
  assistant: 'test/api/assistant/serve.ts',
  'take-limits': 'test/api/assistant/take-limits.ts',
};
export type Program = keyof typeof PROGRAMS;

/** Our modules read files that lie beside them; which files are built is asked in their place. */
const keepFolders: Plugin = {
  name: 'keep-folders',
  setup(bundler) {
    bundler.onResolve({ filter: /\/bin\/built\.mjs$/ }, () => ({
      path: join(ROOT, 'bin/built.mjs'),
      external: true,
    }));
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
 * The programs as JavaScript, in a folder whose path it returns: tests start hundreds, and each
 * would load two hundred modules through tsx, for up to two seconds of CPU.
 */
export async function bundlePrograms(): Promise<string> {
  const folder = join(FOLDER, String(process.pid));
  await rm(folder, { recursive: true, force: true });
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)]),
    ),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    plugins: [keepFolders],
  });
  return folder;
}
