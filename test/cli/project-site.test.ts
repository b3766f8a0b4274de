import { jest } from '@jest/globals';
import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { registerDoctor } from '../../cli/commands/doctor.ts';
import { registerIndex } from '../../cli/commands/index-site.ts';
import { registerProject } from '../../cli/commands/project.ts';
import { describeFailure } from '../../cli/output/failure.ts';
import { temporaryFolder } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';

const SITE = {
  'website/docusaurus.config.js': `module.exports = {
    url: 'https://acme.example', baseUrl: '/product/',
    i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
    presets: [['classic', { docs: { sidebarPath: './sidebars.js' }, blog: false }]],
  };`,
  'website/sidebars.js': `module.exports = { docs: ['intro', makeList()] };`,
  'website/docs/intro.md': '# Intro\n\nThe pelican greets you.\n',
  'website/docs/setup.md': '# Set up\n\nFeed the walrus.\n',
  'website/docs/old.rst': 'Old\n===\n',
  'website/i18n/fr/docusaurus-plugin-content-docs/current/intro.md': '# Bonjour\n\nLe pelican.\n',
  'manual/start.md': '# Start\n\nThe ibex.\n',
};

let stack: JobStack;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  stack = await startJobStack({ files: { 'docs/index.md': '# Home\n' } });
  folder = await temporaryFolder();
  for (const [path, text] of Object.entries(SITE)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  const { TEMPORAL_ADDRESS, TASK_QUEUE, PUBLIC_URL, DATA_DIR, LOCAL_HOST_TOKEN } = stack.config;
  env = {
    DATABASE_URL: stack.databaseUrl,
    TEMPORAL_ADDRESS: TEMPORAL_ADDRESS ?? '',
    TASK_QUEUE,
    PUBLIC_URL: PUBLIC_URL ?? '',
    DATA_DIR,
    LOCAL_HOST_TOKEN: LOCAL_HOST_TOKEN ?? '',
    MODEL_PROVIDER: 'offline',
  };
}, 120_000);
afterAll(async () => {
  await stack?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a command prints, on both streams, and how it ends. */
async function run(...args: string[]): Promise<{ text: string; exitCode: number }> {
  const lines: string[] = [];
  const out = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation(text => lines.push(String(text)) > 0);
  const err = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation(text => lines.push(String(text)) > 0);
  try {
    const program = new Command();
    for (const register of [registerProject, registerIndex, registerDoctor]) register(program, env);
    await program.parseAsync(args, { from: 'user' });
    return { text: lines.join(''), exitCode: 0 };
  } catch (error) {
    const { text, exitCode } = describeFailure(error);
    return { text: lines.join('') + text, exitCode };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

it('shows what was found of a site before its pages are indexed', async () => {
  const { text } = await run('project', 'add', 'Walrus', '--repository', folder);
  for (const line of [
    /^kind {10}Docusaurus$/m,
    /^docs folder {3}website\/docs$/m,
    /^pages {9}3$/m,
    /^navigation {4}\d+ entr(y|ies)$/m,
    /^languages {5}en \(default\), fr$/m,
    /^address {7}website\/docs\/intro\.md → https:\/\/acme\.example\/product\/docs\/intro$/m,
    /^not read {6}1 reStructuredText page is not read: only Markdown is\.$/m,
    /^not read {6}website\/sidebars\.js/m,
  ])
    expect(text).toMatch(line);
});

it('shows it again, with the index and its progress, and in doctor', async () => {
  expect((await run('index', 'walrus')).text).toMatch(/^3 pages at [\da-f]{7}, \d of them new/m);
  const shown = JSON.parse((await run('project', 'show', 'walrus')).text) as Record<
    string,
    unknown
  >;
  expect(shown).toMatchObject({
    docsFolder: 'website/docs',
    docsFolderDetected: true,
    siteKind: null,
    basePath: null,
    site: { kind: 'docusaurus', pages: 3, languages: ['en', 'fr'] },
    index: { built: { pages: 3, complete: true }, run: 'completed', failure: null, progress: null },
  });
  expect((await run('doctor')).text).toMatch(
    /note +site walrus +Docusaurus in website\/docs, 3 pages, navigation: \d+ entr(y|ies); 1 reStructuredText page is not read: only Markdown is\. website\/sidebars\.js/,
  );
}, 60_000);

it('can be changed: folder, kind, base path, address and branch', async () => {
  const set = (...args: string[]) => run('project', 'set', 'walrus', ...args);
  expect(await set('--docs-folder', 'nowhere')).toEqual({
    text: 'Branch main has no folder nowhere.',
    exitCode: 2,
  });
  expect((await set('--base-ref', 'gone')).text).toMatch(/has no branch gone: it has main\.$/);
  expect((await set('--base-path', 'a b')).text).toMatch(/^--base-path must be .* such as \/docs/);
  const based = await set('--base-path', '/v2/', '--site-url', 'https://docs.acme.example/');
  expect(based.text).toContain('base path: /v2  site: https://docs.acme.example');
  expect(based.text).toContain('intro.md → https://docs.acme.example/v2/docs/intro\n');
  const moved = await set('--docs-folder', './manual', '--base-path', 'detect');
  expect(moved.text).toMatch(/^kind +a plain folder$/m);
  expect(moved.text).toMatch(/^navigation +by folder$/m);
  expect(moved.text).toContain('manual/start.md → https://docs.acme.example/start\n');
  const wrong = await set('--kind', 'mkdocs');
  expect(wrong.text).toMatch(/^not read +manual +There is no mkdocs site in manual/m);
  const back = await set('--docs-folder', 'detect', '--kind', 'detect');
  expect(back.text).toMatch(/^docs folder +website\/docs$/m);
}, 90_000);

it('says so if there is nothing to read', async () => {
  const empty = join(folder, 'empty');
  await mkdir(empty);
  await writeFile(join(empty, 'main.c'), 'int main;\n');
  expect((await run('project', 'add', 'None', '--repository', empty)).text).toContain(
    'There is no page (.md, .mdx) in the root of branch main, ',
  );
}, 60_000);

it('project set --context names repositories that jobs may read', async () => {
  const set = (context: string) => run('project', 'set', 'acme', '--context', context);
  const stored = async () =>
    JSON.parse((await run('project', 'show', 'acme')).text).settings.contextRepositories;
  expect(await set('docs@main,docs')).toMatchObject({ exitCode: 0 });
  expect(await stored()).toEqual([
    { name: 'docs', host: 'local', repository: 'docs', ref: 'main' },
  ]);
  expect(await set('never')).toEqual({
    text: expect.stringContaining('never is not a repository that this organization may use.'),
    exitCode: expect.any(Number),
  });
  expect((await set('docs@absent')).text).toContain('docs has no branch absent.');
  expect((await set(Array.from({ length: 11 }, () => 'docs').join(','))).text).toContain(
    '--context must be',
  );
  expect(await set('none')).toMatchObject({ exitCode: 0 });
  expect(await stored()).toEqual([]);
});
