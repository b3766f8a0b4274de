// Compiles the package into dist/ before it is packed: Node runs no TypeScript below node_modules.
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const ROOT = import.meta.dirname;
const TOP = join(ROOT, '..');
const outdir = join(ROOT, 'dist');
const declared = join(outdir, 'declared');

await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: [join(ROOT, 'index.ts'), join(ROOT, 'command', 'docent-check.ts')],
  entryNames: '[name]',
  ...{ outdir, outExtension: { '.js': '.mjs' } },
  ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20' },
  packages: 'external',
});
declareTypes();
await copyTypes('index');
await rm(declared, { recursive: true });
await copyFile(join(TOP, 'LICENSE'), join(outdir, 'LICENSE'));

/** Of every module, into a folder of its own. */
function declareTypes() {
  const options = {
    ...{ target: 'ES2023', module: 'NodeNext', types: 'node', rootDir: ROOT, outDir: declared },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noCheck: true },
    ...{ allowImportingTsExtensions: true, declaration: true, emitDeclarationOnly: true },
    ignoreConfig: true,
  };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const tsc = join(TOP, 'node_modules', '.bin', 'tsc');
  execFileSync(tsc, [...flags, join(ROOT, 'index.ts')], { cwd: TOP, stdio: 'inherit' });
}

/** Those of a module, and of the modules that its types are made of. */
async function copyTypes(name, copied = new Set()) {
  if (copied.has(name)) return;
  copied.add(name);
  const text = await readFile(join(declared, `${name}.d.ts`), 'utf8');
  const target = join(outdir, 'types', `${name}.d.ts`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  for (const [, path] of text.matchAll(/^(?:import|export)[^;]*? from '(\.[^']*)\.ts'/gm))
    await copyTypes(join(dirname(name), path), copied);
}
