/**
 * Thousands of generated requests against a whole stack of its own: schemathesis reads the OpenAPI
 * document that is served, and checks each answer against it. Prints what broke and exits with 1.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { rawCases, statusOfRaw } from './raw-cases.ts';

const VERSION = '4.32.5';
const VENV = join(homedir(), '.cache', 'docent', 'fuzz', `schemathesis-${VERSION}`);
const ROOT = join(import.meta.dirname, '..', '..');
/** Of all runs together. */
const CASES = Number(process.env['CASES'] ?? 5_000);
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
];

interface Run {
  cases: number;
  held: boolean;
  /** How often each status was answered. */
  statuses: Map<number, number>;
  /** Operations, as `GET /path/{id}`, that answered a success at least once. */
  succeeded: Set<string>;
}

interface Stack {
  baseUrl: string;
  keys: { name: string; token: string | undefined }[];
  projectId: string;
  domain: string;
}

function program(): string {
  const found = join(VENV, 'bin', 'schemathesis');
  if (existsSync(found)) return found;
  console.log(`Installing schemathesis ${VERSION} into ${VENV} …`);
  for (const [command, args] of [
    ['python3', ['-m', 'venv', VENV]],
    [join(VENV, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]],
  ] as const) {
    const { status } = spawnSync(command, args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: is Python 3.10 here?`);
  }
  return found;
}

/** `docent start` with the offline model, on a data folder and ports of its own. */
async function withStack(work: (stack: Stack) => Promise<boolean>): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-fuzz-'));
  await chmod(folder, 0o711);
  const { DATABASE_URL: _database, ...env } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'docent.mjs'), 'start'], {
    env: { ...env, DATA_DIR: folder, PORT: '0', MODEL_PROVIDER: 'offline' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  try {
    const file = join(folder, 'demo.env');
    child.stdout.resume();
    let demo: NodeJS.Dict<string> = {};
    for (
      let tries = 0;
      demo['BASE_URL'] === undefined || !(await answers(demo['BASE_URL']));
      tries += 1
    ) {
      if (tries > 240 || child.exitCode !== null) throw new Error('docent start did not start');
      await new Promise(wait => setTimeout(wait, 500));
      demo = parseEnv(await readFile(file, 'utf8').catch(() => ''));
    }
    const need = (name: string): string => {
      const value = demo[name];
      if (value === undefined) throw new Error(`${file} lacks ${name}`);
      return value;
    };
    return await work({
      baseUrl: need('BASE_URL'),
      projectId: need('PROJECT_ID'),
      domain: need('DOMAIN'),
      keys: [
        { name: 'admin key', token: need('ADMIN_KEY') },
        { name: 'assistant key', token: need('ASSISTANT_KEY') },
        { name: 'no key', token: undefined },
      ],
    });
  } finally {
    child.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  return await fetch(`${baseUrl}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** One run of schemathesis; how many cases it tried, and whether all checks held. */
async function fuzz(
  command: string,
  { baseUrl, projectId, domain }: Stack,
  token: string | undefined,
): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-fuzz-run-'));
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as { paths: object };
  const perOperation = Math.ceil(CASES / 3 / Object.keys(document.paths).length / 2);
  // The ids that exist: with others, all that is tested is 404.
  await writeFile(
    join(folder, 'schemathesis.toml'),
    `[parameters]\n"path.projectId" = "${projectId}"\n"path.domain" = "${domain}"\n`,
  );
  const args = [
    'run',
    `${baseUrl}/openapi.json`,
    '--url',
    baseUrl,
    '--phases=examples,coverage,fuzzing,stateful',
    `--max-examples=${perOperation}`,
    `--checks=${CHECKS.join(',')}`,
    '--request-timeout=30',
    '--continue-on-failure',
    '--suppress-health-check=all',
    '--warnings=off',
    '--no-shrink',
    `--report-har-path=${join(folder, 'answers.har')}`,
    ...(process.env['SEED'] ? [`--seed=${process.env['SEED']}`] : []),
    ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]),
  ];
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const status = await new Promise<number | null>(done => child.once('close', done));
  const generated = /([\d,]+) generated/.exec(output)?.[1]?.replaceAll(',', '');
  const run = { cases: Number(generated ?? 0), held: status === 0 };
  const given = await readAnswers(join(folder, 'answers.har'), Object.keys(document.paths));
  await rm(folder, { recursive: true, force: true });
  return { ...run, ...given };
}

/** What the API answered: a fuzzer that only ever sees refusals finds nothing. */
async function readAnswers(
  file: string,
  paths: string[],
): Promise<Pick<Run, 'statuses' | 'succeeded'>> {
  const { log } = JSON.parse(await readFile(file, 'utf8')) as {
    log: { entries: { request: { method: string; url: string }; response: { status: number } }[] };
  };
  // The most specific first: a path without a parameter before the one that could be it.
  const patterns = paths
    .map(path => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) }))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length);
  const statuses = new Map<number, number>();
  const succeeded = new Set<string>();
  for (const { request, response } of log.entries) {
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    const { pathname } = new URL(request.url);
    const known = patterns.find(({ pattern }) => pattern.test(pathname));
    if (response.status < 300 && known) succeeded.add(`${request.method} ${known.path}`);
  }
  return { statuses, succeeded };
}

async function raw({ baseUrl, keys, projectId }: Stack): Promise<boolean> {
  const cases = rawCases({ admin: keys[0]!.token!, projectId });
  const failed: string[] = [];
  for (const each of cases) {
    const status = await statusOfRaw(Number(new URL(baseUrl).port), each).catch(String);
    if (typeof status === 'string' || (status !== undefined && status >= 500))
      failed.push(`${each.name}: ${status}`);
  }
  console.log(`raw HTTP: ${cases.length} cases, ${failed.length} failed`);
  for (const line of failed) console.log(`  ${line}`);
  return failed.length === 0;
}

const command = program();
const held = await withStack(async stack => {
  let all = await raw(stack);
  let total = 0;
  const succeeded = new Set<string>();
  for (const { name, token } of stack.keys) {
    console.log(`\nschemathesis with ${name}`);
    const run = await fuzz(command, stack, token);
    total += run.cases;
    all = run.held && all;
    for (const operation of run.succeeded) succeeded.add(operation);
    const counts = [...run.statuses].toSorted(([a], [b]) => a - b);
    console.log(`Answers: ${counts.map(([status, count]) => `${status} × ${count}`).join(', ')}`);
  }
  console.log(`\nAnswered a success at least once:\n  ${[...succeeded].toSorted().join('\n  ')}`);
  console.log(`\n${total} generated cases; ${all ? 'all checks held' : 'some checks failed'}`);
  return all && total >= CASES;
});
process.exitCode = held ? 0 : 1;
