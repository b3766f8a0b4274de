import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKey } from '../../db/projects/keys.ts';
import { automationIn } from '../dashboard/api/audit-entries.ts';
import { temporaryFolder } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { testProgram, testTemporal, testTemporalCli } from '../support/services.ts';

const DOCS = join(import.meta.dirname, '../../docs');
/** What docs/operate/install.md asks for, and what each system has. */
const PROGRAMS = ['bash', 'node', 'git', 'curl', 'base64', 'tr', 'cat', 'sed', 'grep'];
/** The id that stands for another one everywhere. */
const EXAMPLE = /\bjob_01kaj5zq3v8w1m4r7t2x9c6bne\b/g;
const PROJECT = /prj_01…/g;
/** A job can be in a state in which it refuses: it must say so, and nothing else may fail. */
const CONFLICT = 409;

/** Those that speak to a running Docent, by page; the assistant's: test/api/assistant/snippets.test.ts. */
const snippets = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.md') && !path.startsWith('assistant/'))
  .flatMap(path =>
    [...readFileSync(join(DOCS, path), 'utf8').matchAll(/^```bash\b.*\n([\s\S]*?)^```$/gm)]
      .map(([, code]) => [path, code!] as const)
      // What is about a repository of the reader's own has none here.
      .filter(
        ([, code]) =>
          /"\$BASE_URL\/|\bdocent job\b|demo\.env/.test(code) && !code.includes('../my-docs'),
      ),
  );

let stack: JobStack;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startJobStack({ files: { 'docs/index.md': '# Acme\n\nAcme waters plants.\n' } });
  const { organizationId, id: projectId, domain } = stack.project;
  const { token } = await createKey(stack.pool, {
    ...{ organizationId, projectId, kind: 'assistant', name: 'Docs', createdBy: 'a test' },
  });
  env = {
    ...{ BASE_URL: stack.baseUrl, ADMIN_KEY: stack.adminKey, PROJECT_ID: projectId },
    ...{ DOMAIN: domain, ASSISTANT_KEY: token },
    AUTOMATION_ID: await automationIn(stack.pool, projectId),
    ...{ TEMPORAL_CLI: testTemporalCli(), TEMPORAL_ADDRESS: testTemporal().address },
  };
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of PROGRAMS)
    symlinkSync(name === 'node' ? process.execPath : which(name), join(bin, name));
  for (const [name, args] of [
    ['docent', '"$@"'],
    ['npx', '"${@:2}"'],
  ] as const) {
    const program = testProgram('docent');
    writeFileSync(join(bin, name), `#!${which('bash')}\nexec node '${program}' ${args}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  mkdirSync(join(folder, '.docent'));
  writeFileSync(
    join(folder, '.docent/demo.env'),
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  // Larger than a command line may be.
  writeFileSync(join(folder, 'menu.png'), Buffer.concat([PNG, randomBytes(150_000)]));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/index.md'), '# Acme\n\nAcme waters plants.\n');
}, 60_000);
afterAll(async () => {
  await stack?.close();
  rmSync(folder, { recursive: true, force: true });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function which(name: string): string {
  return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
}

it.each(snippets)(
  '%s: %s',
  async (_path, code) => {
    const { id } = await stack.create('Replace "plants" with "trees".');
    await stack.rest(id);
    const { stdout } = await promisify(execFile)(
      'bash',
      [
        '-euo',
        'pipefail',
        '-c',
        code.replaceAll(EXAMPLE, id).replaceAll(PROJECT, stack.project.id),
      ],
      {
        cwd: folder,
        env: {
          ...env,
          JOB_ID: id,
          PATH: join(folder, 'bin'),
          DATA_DIR: join(folder, '.docent'),
        },
        maxBuffer: 1e8,
      },
    );
    const problem = /"type":\s*"urn:docent:problem:[^]*?"status":\s*(\d+)/.exec(stdout);
    expect([problem?.[1] ?? String(CONFLICT), stdout]).toEqual([String(CONFLICT), stdout]);
  },
  60_000,
);
