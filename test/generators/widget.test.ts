import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { type Attributes, SITES } from '../../dashboard/src/components/widget/site-snippets.ts';
import { startWidgetSite, type WidgetSite } from '../widget/harness.ts';
import { putFiles, siteCopy } from './build.ts';
import { fixtureFolder } from './fixture-sites.ts';
import { installGenerator } from './install.ts';
import { wantedKinds } from './wanted-kinds.ts';

/** Adds the lines that the dashboard gives to a site, as its reader would. */
type Change = (read: (file: string) => string, lines: string) => Record<string, string>;
const CHANGES = {
  docusaurus: (read, lines) =>
    within('docusaurus.config.js', read, /(const config = \{|export default \{)/, lines),
  mkdocs: (read, lines) => ({
    ...within('mkdocs.yml', read, /^theme:\n/m, '  custom_dir: overrides\n'),
    'overrides/main.html': lines,
  }),
  vitepress: (read, lines) =>
    within('docs/.vitepress/config.mts', read, /defineConfig\(\{\n/, lines),
  starlight: (read, lines) => within('astro.config.mjs', read, /starlight\(\{\n/, lines),
  hugo: (read, lines) => ({
    ...within('layouts/home.html', read, /<\/main>\n/, lines),
    ...within('layouts/page.html', read, /<\/main>\n/, lines),
  }),
  sphinx: (read, lines) => within('docs/conf.py', read, /^project = .*\n/m, lines),
} satisfies Record<string, Change>;
const TYPES: Record<string, string> = {
  ...{
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  },
};

let site: WidgetSite;
beforeAll(async () => {
  site = await startWidgetSite();
}, 180_000);
afterAll(async () => site?.close());

const kinds = wantedKinds(process.env['GENERATORS']).filter(kind => kind in CHANGES);
const describeEach =
  kinds.length > 0 ? describe.each(kinds) : describe.skip.each(['none'] as never[]);

describeEach('a site of %s with the lines of the dashboard', kind => {
  it('has the widget, which answers and stays when the reader turns the page', async () => {
    const copy = siteCopy(kind, await installGenerator(kind));
    const attributes: Attributes = [
      ['src', `${site.assistant.url}/widget.js`],
      ['data-key', site.assistant.key],
      ['data-domain', 'acme'],
      ['data-button-text', 'Ask "Acme" & friends'],
    ];
    try {
      putFiles(copy, fixtureFolder(kind));
      const read = (file: string) => readFileSync(join(copy.folder, file), 'utf8');
      const lines = `${SITES[kind as keyof typeof CHANGES].text(attributes)}\n`;
      const changed = CHANGES[kind as keyof typeof CHANGES](read, lines);
      for (const [file, text] of Object.entries(changed)) {
        mkdirSync(dirname(join(copy.folder, file)), { recursive: true });
        writeFileSync(join(copy.folder, file), text);
      }
      await copy.build();
      const server = await serve(copy.output);
      const { port } = server.address() as AddressInfo;
      site.says({ text: `On a site of ${kind}.` });
      const { page } = await site.visit(`http://127.0.0.1:${port}/harbor/`);
      await page.getByRole('button', { name: 'Ask "Acme" & friends' }).click();
      await page.getByRole('dialog').getByLabel('Question').fill('How do I install it?');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText(`On a site of ${kind}.`).first().waitFor();
      if (process.env['WIDGET_PICTURES'])
        await page.screenshot({ path: join(process.env['WIDGET_PICTURES'], `site-${kind}.png`) });
      await page.keyboard.press('Escape');
      const link = page.locator('a[href*="install"]:visible').first();
      await link.click();
      await page.waitForURL(/install/);
      await page.getByRole('button', { name: 'Ask "Acme" & friends' }).click();
      await page.getByRole('dialog').getByText(`On a site of ${kind}.`).first().waitFor();
      expect(await page.locator('docent-assistant').count()).toBe(1);
      server.closeAllConnections();
      server.close();
    } finally {
      copy.remove();
    }
  }, 600_000);
});

/** A file with lines put in after a place. */
function within(file: string, read: (file: string) => string, after: RegExp, lines: string) {
  const text = read(file);
  const changed = text.replace(after, found => found + lines);
  if (changed === text) throw new Error(`${file} has no ${String(after)}`);
  return { [file]: changed };
}

/** A folder as a host serves it, below /harbor and at the top. */
async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, 'http://x').pathname);
    const bare = path.replace(/^\/harbor\//, '/').slice(1);
    const file = [bare, `${bare}.html`, join(bare, 'index.html')]
      .map(each => join(folder, each))
      .find(each => existsSync(each) && statSync(each).isFile());
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return server;
}
