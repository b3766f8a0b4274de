import { jest } from '@jest/globals';
import { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { registerProject } from '../../cli/commands/project.ts';
import { describeFailure } from '../../cli/output/failure.ts';
import { newId } from '../../shared/ids.ts';
import { temporaryFolder } from '../support/docent.ts';
import { testDatabase, type TestDatabase, testTemporal } from '../support/services.ts';

let db: TestDatabase;
let folder: string;
let site: string;
let env: Record<string, string>;
beforeAll(async () => {
  db = await testDatabase();
  folder = await temporaryFolder();
  site = join(folder, 'site');
  await mkdir(join(site, 'guides', 'snippets'), { recursive: true });
  await writeFile(join(site, 'guides', 'install.md'), '# Install\n');
  await writeFile(join(site, 'guides', 'snippets', 'note.md'), 'Not a page of its own.\n');
  await writeFile(join(site, 'main.c'), 'int main;\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', site, '-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  env = {
    DATABASE_URL: db.url,
    TEMPORAL_ADDRESS: testTemporal().address,
    TASK_QUEUE: newId('q'),
    PUBLIC_URL: 'http://docent.test',
    DATA_DIR: join(folder, 'data'),
  };
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

/** What `docent project …` prints, and how it ends. */
async function project(...args: string[]): Promise<{ text: string; exitCode: number }> {
  const lines: string[] = [];
  const out = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation(text => lines.push(String(text)) > 0);
  const err = jest
    .spyOn(process.stderr, 'write')
    .mockImplementation(text => lines.push(String(text)) > 0);
  try {
    const program = new Command();
    registerProject(program, env);
    await program.parseAsync(['project', ...args], { from: 'user' });
    return { text: lines.join(''), exitCode: 0 };
  } catch (error) {
    return describeFailure(error);
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

it.each([
  [
    'Bad branch',
    ['--base-ref', 'nosuch'],
    'Repository bad-branch has no branch nosuch: it has main.',
  ],
  ['Bad folder', ['--docs-folder', 'nosuch'], 'Branch main has no folder nosuch.'],
  ['Bad file', ['--docs-folder', 'main.c'], 'Branch main has no folder main.c.'],
  [
    'Bad address',
    ['--site-url', 'nonsense'],
    '--site-url must be a string of at most 500 characters that begins with https:// or http://.',
  ],
  [
    'Bad domain',
    ['--domain', 'No!'],
    '--domain must be a string of 1 to 63 characters: small letters, digits and - within.',
  ],
])('"%s" is refused in one sentence, and no copy stays', async (name, flags, sentence) => {
  expect(await project('add', name, '--repository', site, ...flags)).toEqual({
    text: sentence,
    exitCode: 2,
  });
  expect(await readdir(join(env['DATA_DIR']!, 'repositories')).catch(() => [])).toEqual([]);
  expect((await db.pool.query('select from projects')).rowCount).toBe(0);
});

it('says what to run next, and that no worker is there to read the site', async () => {
  const added = await project('add', 'My docs', '--repository', site, '--docs-folder', './guides/');
  expect(added).toEqual({
    exitCode: 0,
    text: expect.stringMatching(
      /^prj_\w+ {2}my-docs {2}http:\/\/docent\.test\/git\/my-docs\.git\nNo worker is running, so the site is not read yet\. Start one: "docent worker"\. Then see "docent project show my-docs"\.\nKeys: npx docent key create --kind admin; npx docent key create --kind assistant --project my-docs\n$/,
    ),
  });
});

it('once deleted, is added again on the repository that stays', async () => {
  expect((await project('add', 'My docs', '--repository', site)).text).toBe(
    'The domain my-docs is taken; choose another with --domain.',
  );
  expect((await project('delete', 'my-docs')).exitCode).toBe(0);
  expect(await project('add', 'My docs', '--repository', site)).toEqual({
    exitCode: 2,
    text:
      'The built-in host already has a repository my-docs. ' +
      'To use it unchanged: --repository my-docs. ' +
      `To copy ${site} there: choose another project name.`,
  });
  expect(await project('add', 'My docs', '--repository', 'my-docs')).toMatchObject({ exitCode: 0 });
  expect((await project('delete', 'my-docs')).exitCode).toBe(0);
});
