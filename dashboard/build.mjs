// Builds the browser app and the widget into dashboard/dist, unless what is there was made of the same sources.
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildWidget } from '../widget/build.mjs';

const HERE = import.meta.dirname;
const WIDGET = join(HERE, '..', 'widget');
/** Functions that the app shares with the server, as the linter allows them. */
const SHARED = [
  '../api/dashboard/contract/projects/proposed-names.ts',
  '../shared/allowed-origins.ts',
  '../shared/text/csv.ts',
];
const DIST = join(HERE, 'dist');
const STAMP = '.sources'; // a dot file: it is not served
/** Places in node_modules of what the app is made of: bin/licences.mjs lists the packages. */
const listPackages = {
  name: 'list-packages',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const source = modules.map(id => id.replace(/^.*?(?=node_modules\/|$)/, '')).join('\n');
    this.emitFile({ type: 'asset', fileName: '.packages', source });
  },
};
const TEXT = new Set(['.js', '.css', '.html', '.svg']);

/** False where there was nothing to do. */
export async function buildDashboard() {
  const sources = await hashOfSources();
  if ((await readFile(join(DIST, STAMP), 'utf8').catch(() => '')) === sources) return false;
  process.env.NODE_ENV = 'production'; // Jest's would get us React's development build
  const { build } = await import('vite'); // a second to load: only when there is something to build
  const folder = await mkdtemp(join(HERE, '.dist-'));
  try {
    await chmod(folder, 0o755); // served by another user than the one who built it, in the image
    await build({
      configFile: join(HERE, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: folder, emptyOutDir: true },
      plugins: [listPackages],
    });
    await buildWidget(folder);
    for (const file of await filesIn(folder))
      if (TEXT.has(extname(file))) await compress(join(folder, file));
    await writeFile(join(folder, STAMP), sources);
    // Whole or not at all. Whoever built at the same time had the same sources.
    await rm(DIST, { recursive: true, force: true });
    await rename(folder, DIST).catch(error => {
      if (error.code !== 'ENOTEMPTY') throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return true;
}

/** Of everything that the app is made of: its own files, and the versions of what it imports. */
async function hashOfSources() {
  const hash = createHash('sha256');
  for (const folder of [HERE, WIDGET]) {
    const own = (await filesIn(folder)).filter(file => !/^(\.dist-|dist\b)/.test(file));
    for (const file of own)
      hash
        .update(`${file}\0`)
        .update(await readFile(join(folder, file)))
        .update('\0');
  }
  for (const file of [...SHARED, '../package-lock.json'])
    hash.update(await readFile(join(HERE, file)));
  return hash.digest('hex');
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** Beside each file its compressed forms, so that serving them costs nothing. */
async function compress(path) {
  const content = await readFile(path);
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
  await writeFile(
    `${path}.br`,
    await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const began = Date.now();
  console.error(
    (await buildDashboard())
      ? `Built the dashboard in ${((Date.now() - began) / 1000).toFixed(1)} s.`
      : 'The dashboard is built already.',
  );
}
