import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { docent, temporaryFolder } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { testProgram } from '../support/services.ts';
import { environmentOf } from './evaluate.ts';

/** A gate that looks for one name. */
const NAME = 'maxRetries';
let stack: JobStack;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startJobStack({
    files: { 'docs/index.md': '# Home\n' },
    script: ({ messages }) => {
      const needed = JSON.stringify(messages).includes(`+export const ${NAME}`);
      return {
        toolUses: [
          { name: 'judge', input: { needed, reason: 'By its name.', pages: ['/limits'] } },
        ],
      };
    },
  });
}, 60_000);
afterAll(async () => {
  await stack?.close();
  await rm(folder, { recursive: true, force: true });
});

async function commit(files: Record<string, string>, title: string): Promise<string> {
  const at = join(folder, 'code');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', at, '-c', 'user.name=Dana', '-c', 'user.email=d@e.org', ...args]);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), text);
  }
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', title);
  return git('rev-parse', 'HEAD').toString().trim();
}

const run = (...args: string[]) =>
  docent(stack.config.DATA_DIR, args, environmentOf(stack), testProgram('eval-gate'));

it('sets what the gate says of past merges beside what people did', async () => {
  await commit({ 'docs/limits.md': `# Limits\n\nSet ${NAME}.\n`, 'src/a.ts': 'a();\n' }, 'Begin');
  const documented = await commit(
    {
      'docs/limits.md': `# Limits\n\nSet ${NAME} to 4.\n`,
      'src/a.ts': `export const ${NAME} = 4;\n`,
    },
    'Try more often',
  );
  const inside = await commit({ 'src/a.ts': 'b();\n' }, 'Rename a function');
  const file = join(folder, 'changes.jsonl');
  const line = { repository: 'code', docsFolder: 'docs' };
  await writeFile(
    file,
    [
      { id: 'documented', commit: documented, ...line },
      { id: 'inside', commit: inside, ...line },
    ]
      .map(each => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  const asJson = await run(file, '--json');
  expect([asJson.code, asJson.stderr]).toEqual([0, '']);
  expect(JSON.parse(asJson.stdout)).toEqual([
    {
      ...{ id: 'documented', title: 'Try more often', needed: true, reason: 'By its name.' },
      ...{ people: ['docs/limits.md'], given: ['docs/limits.md'], named: ['/limits'] },
    },
    expect.objectContaining({ id: 'inside', people: [], needed: false, given: [] }),
  ]);
  // What people wrote is not shown to the gate, and neither is the page after it.
  const asked = JSON.stringify(stack.model.requests[0]!.body.messages);
  expect(asked).toContain('Try more often');
  expect(asked).not.toContain(`Set ${NAME} to 4`);
  const printed = await run(file);
  expect(printed.stdout).toContain('Needed and seen: 1. Looked in vain: 0. Missed: 0. Neither: 1.');
  expect(printed.stdout).toContain('Precision 1.00, recall 1.00.');
}, 120_000);

it('says what a line must have', async () => {
  const file = join(folder, 'wrong.jsonl');
  const all = { id: 'a', repository: '.', commit: 'a'.repeat(40), docsFolder: '' };
  for (const line of [{ id: 'a' }, all]) {
    await writeFile(file, `${JSON.stringify(line)}\n`);
    const { code, stderr } = await run(file);
    expect(code).toBe(2);
    expect(stderr).toContain('wrong.jsonl:1 must be JSON with id, repository, commit');
  }
}, 60_000);
