import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const program = (name: string) => join(ROOT, 'node_modules', '.bin', name);

/** What a program prints, and whether it was content. */
async function run(
  command: string,
  args: string[],
  cwd: string,
): Promise<{ ok: boolean; output: string }> {
  return await new Promise(resolve => {
    execFile(command, args, { cwd, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, output: stdout + stderr }),
    );
  });
}

// Half a minute of both cores: what `npm run lint` and `npm run typecheck` tell without the tests.
(process.env['CI'] ? describe : describe.skip)('the sources', () => {
  it('pass the linter', async () => {
    const { ok, output } = await run(program('oxlint'), ['--type-aware', '--format=unix'], ROOT);
    expect(ok ? '' : output).toBe('');
  }, 120_000);

  it('export nothing that nobody imports, and hold no file that nobody uses', async () => {
    const args = ['--no-progress', '--include=exports,files', '--no-config-hints'];
    const { ok, output } = await run(program('knip'), args, ROOT);
    expect(ok ? '' : output).toBe('');
  }, 120_000);

  it('are laid out by the formatter', async () => {
    const { ok, output } = await run(
      program('prettier'),
      ['--check', '--log-level=warn', '.'],
      ROOT,
    );
    expect(ok ? '' : `${output}\nRun npm run format.`).toBe('');
  }, 120_000);

  it('pass the type checker', async () => {
    const { output } = await run(program('tsc'), ['--noEmit', '-p', 'tsconfig.json'], ROOT);
    expect(output).toBe('');
  }, 120_000);
});

describe('the linter', () => {
  const REFUSED: [what: string, path: string, content: string, rule: string][] = [
    [
      'an activity that nobody awaits',
      'workflows/forgotten.ts',
      `import type { act } from '../activities/act.ts';\n` +
        'export async function forgotten(each: typeof act): Promise<void> { each(); }\n',
      'no-floating-promises',
    ],
    [
      'activity code in a workflow',
      'workflows/heavy.ts',
      `export { act } from '../activities/act.ts';\n` +
        `import { act } from '../activities/act.ts';\nexport const again = act;\n`,
      'no-restricted-imports',
    ],
    [
      'Node in a workflow',
      'workflows/impure.ts',
      `import { readFile } from 'node:fs/promises';\nexport const read = readFile;\n`,
      'no-restricted-imports',
    ],
    [
      'activities in the API',
      'api/wrong.ts',
      `import { act } from '../activities/act.ts';\nexport const wrong = act;\n`,
      'no-restricted-imports',
    ],
    [
      'a role in shared',
      'shared/upwards.ts',
      `import { work } from '../worker/work.ts';\nexport const upwards = work;\n`,
      'no-restricted-imports',
    ],
    [
      'the environment outside the configuration',
      'worker/reads.ts',
      `export const reads = process.env['HOME'];\n`,
      'no-process-env',
    ],
  ];
  let folder: string;
  let findings: string[];
  // One run for all files: most of its time is the start of the type checker.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-lint-'));
    for (const name of ['.oxlintrc.json', 'tsconfig.base.json', 'tsconfig.json'])
      await cp(join(ROOT, name), join(folder, name));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await file('activities/act.ts', 'export async function act(): Promise<void> {}\n');
    await file('worker/work.ts', 'export const work = 1;\n');
    await file(
      'workflows/right.ts',
      `import type { act } from '../activities/act.ts';\n` +
        'export async function right(each: typeof act): Promise<void> { await each(); }\n',
    );
    for (const [, path, content] of REFUSED) await file(path, content);
    const { ok, output } = await run(
      program('oxlint'),
      ['--type-aware', '--format=unix', '.'],
      folder,
    );
    expect(ok).toBe(false);
    findings = output.split('\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function file(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }

  const errorsIn = (path: string) =>
    findings.filter(line => line.includes(`${path}:`) && line.includes('[Error')).join('\n');

  it.each(REFUSED)('refuses %s', (_what, path, _content, rule) => {
    expect(errorsIn(path)).toContain(rule);
  });

  it('accepts the type of an activity in a workflow', () => {
    expect(errorsIn('workflows/right.ts')).toBe('');
  });
});
