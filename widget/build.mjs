// Builds widget.js: one script without imports, fonts or images.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';

/** Style sheets are texts: they become constructable sheets, which no policy has to allow. */
const styles = {
  name: 'styles',
  setup(bundler) {
    bundler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target: TARGET,
      });
      return { contents: `export const text = ${JSON.stringify(code.trim())};`, loader: 'js' };
    });
  },
};
/** The first browsers with all of `dialog`, constructable style sheets and `dvh`. */
const TARGET = ['chrome108', 'firefox108', 'safari16.4'];

/** Writes the script into a folder. */
export async function buildWidget(folder) {
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: join(folder, 'widget.js'),
    ...{ bundle: true, minify: true, format: 'iife', target: TARGET, charset: 'utf8' },
    legalComments: 'none',
    plugins: [styles],
  });
}
