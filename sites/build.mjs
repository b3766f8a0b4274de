// Compiles the package into dist/ before it is packed: Node runs no TypeScript below node_modules.
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const ROOT = import.meta.dirname;
const outdir = join(ROOT, 'dist');

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: [join(ROOT, 'index.ts'), join(ROOT, 'command', 'docent-check.ts')],
  entryNames: '[name]',
  ...{ outdir, outExtension: { '.js': '.mjs' } },
  ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20' },
  packages: 'external',
});
await copyFile(join(ROOT, '..', 'LICENSE'), join(outdir, 'LICENSE'));
