// Compiles the sources and the workflow bundle once, into dist/, so that a start need not.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { register } from 'tsx/esm/api';
import { BUILD_FOLDER, hashOfSources } from './built.mjs';

const ROOT = join(import.meta.dirname, '..');
const HALF = `${BUILD_FOLDER}-half`;
const PROGRAMS = {
  docent: 'cli/docent.ts',
  'offline-model': 'offline-model/main.ts',
};
/** Started often: with their packages inside they load in a third of the time. */
const THREADS = {
  'index-thread': 'search/site/site-thread.ts',
  'tools-thread': 'agent/site/site-thread.ts',
  'match-thread': 'agent/tools/matching/match-thread.ts',
  'openapi-thread': 'agent/openapi/openapi-thread.ts',
  'html-thread': 'agent/web/html-thread.ts',
  'judge-thread': 'agent/policy/judge-thread.ts',
  'reader-thread': 'api/reader/reader-thread.ts',
};

/** Our modules read files that lie beside them: from dist/ they find them in the same checkout. */
const keepPlaces = {
  name: 'keep-places',
  setup(bundler) {
    bundler.onResolve({ filter: /\/bin\/built\.mjs$/ }, () => ({
      path: '../bin/built.mjs',
      external: true,
    }));
    bundler.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const url = name =>
        `new URL(${JSON.stringify(`../${relative(ROOT, name)}`)}, import.meta.url)`;
      const text = (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', `${url(path)}.href`)
        .replaceAll('import.meta.dirname', `decodeURI(${url(dirname(path))}.pathname)`);
      return { contents: text, loader: 'ts' };
    });
  },
};

const sources = hashOfSources();
await rm(HALF, { recursive: true, force: true });
const common = {
  ...{ outdir: HALF, outExtension: { '.js': '.mjs' }, sourcemap: 'linked' },
  ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20' },
  plugins: [keepPlaces],
};
await build({ ...common, entryPoints: paths(PROGRAMS), packages: 'external' });
await build({
  ...common,
  entryPoints: paths(THREADS),
  mainFields: ['module', 'main'], // what is written for both is half missing as CommonJS
  // Packages that are CommonJS load Node's modules by `require`.
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
register();
const { bundleWorkflows } = await import('../cli/stack/workflow-bundle.ts');
await writeFile(join(HALF, 'workflows.js'), await bundleWorkflows());
await writeFile(join(HALF, 'sources.txt'), sources);
await rm(BUILD_FOLDER, { recursive: true, force: true });
await rename(HALF, BUILD_FOLDER); // whole or not at all
console.error(`Built ${relative(process.cwd(), BUILD_FOLDER) || '.'}.`);
process.exit(0);

function paths(entries) {
  return Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [name, join(ROOT, path)]),
  );
}
