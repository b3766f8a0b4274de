import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser.ts';
import { DRAWINGS, LIVE } from './more-tricks.ts';

/**
 * That the tricks are tricks: each of these is live in the renderer that the review named. A
 * renderer that stops to run one makes its row needless, not the policy wrong.
 */
const LIVE_IN: Record<'markdown-it' | 'Python-Markdown', string[]> = {
  'markdown-it': [
    'a script in a line',
    'a quote over an empty line',
    'the same with a handler',
    'a comment over an empty line',
    'a text area that ends early',
    'hex digits after a decimal',
    'a code block that HTML swallows',
    'a code block that a list ends',
    'a code block that closes early',
    'a code span that a list cuts',
    'a code span that a cell cuts',
    'a code span in HTML',
    'a code span from an attribute',
  ],
  'Python-Markdown': [
    'a script in a line',
    'a quote over an empty line',
    'the same with a handler',
    'a comment over an empty line',
    'a text area that ends early',
    'hex digits after a decimal',
    'a slash in place of a space',
    'an entity in a link',
    'a handler in braces',
    'a handler in braces with a colon',
  ],
};

let browser: Browser;
let blank: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  blank = await browser.newPage();
}, 60_000);
afterAll(() => browser?.close());

/** Whether Chromium finds in this HTML what it would run; it runs nothing here. */
async function isLive(html: string): Promise<boolean> {
  return await blank.evaluate<boolean>(
    `[...new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').querySelectorAll('*')]
      .some(each => each.localName === 'script' || each.protocol === 'javascript:' ||
        [...each.attributes].some(({ name }) => name.startsWith('on')))`,
  );
}

it('tells what would run from what is only shown', async () => {
  expect(await isLive('<p title="<script>">&lt;script> <a href="/a">onclick=</a>')).toBe(false);
});

function text(name: string): string {
  const row = LIVE.find(([one]) => one === name);
  if (!row) throw new Error(`no row ${name}`);
  return row[2];
}

describe('markdown-it', () => {
  it.each(LIVE_IN['markdown-it'])('runs %s', async name => {
    expect(await isLive(new MarkdownIt({ html: true }).render(text(name)))).toBe(true);
  });
});

/** As the slow tests run them: Python-Markdown is installed for the run, into a temporary folder. */
const isAll = process.env['RENDERERS'] === 'all';
const PACKAGES = ['markdown==3.11.3', 'pymdown-extensions==13.1'];

(isAll ? describe : describe.skip)('Python-Markdown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'python-markdown-'));
  const program = (name: string) => join(folder, 'bin', name);
  beforeAll(() => {
    execFileSync('python3', ['-m', 'venv', folder]);
    const quietly = ['install', '--quiet', '--disable-pip-version-check'];
    execFileSync(program('pip'), [...quietly, ...PACKAGES]);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(LIVE_IN['Python-Markdown'])('runs %s', async name => {
    const source =
      'import markdown, sys; ' +
      'print(markdown.markdown(sys.stdin.read(), extensions=["fenced_code", "attr_list", "tables"]))';
    const html = execFileSync(program('python'), ['-c', source], {
      input: text(name),
      encoding: 'utf8',
    });
    expect(await isLive(html)).toBe(true);
  });
});

describe('Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawings-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(['an entity', 'a list of attributes', 'a script with a prefix', 'a handler'])(
    'runs a drawing with %s',
    async name => {
      const drawing = DRAWINGS.find(([one]) => one === name)?.[1] ?? '';
      const file = join(folder, 'a.svg');
      writeFileSync(file, drawing.replace(/1(?=<\/|&#60;\/)|alert\(1\)/, "document.title='run'"));
      const page = await browser.newPage();
      await page.goto(`file://${file}`);
      expect(await page.evaluate('document.title')).toBe('run');
      await page.close();
    },
    30_000,
  );

  it('decodes an address with digits of both bases', async () => {
    const page = await browser.newPage();
    await page.setContent(text('hex digits after a decimal'));
    expect(await page.evaluate('document.querySelector("a").protocol')).toBe('javascript:');
    await page.close();
  }, 30_000);
});
