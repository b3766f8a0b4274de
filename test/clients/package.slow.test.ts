import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { installPackages } from '../generators/install.ts';
import { actionSteps } from '../support/action-steps.ts';
import { launchBrowser } from '../support/browser.ts';
import { nodeRelease, ROOT } from '../support/checkout.ts';
import type { JobStack } from '../support/job-stack.ts';
import { serveSite } from '../support/static-site.ts';
import { type ClientNames, startClientStack } from './client-stack.ts';

const PACKAGE = join(ROOT, 'clients', 'typescript');
const ACTION = join(ROOT, 'ops', 'docent-job');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
const FILES = {
  'docs/index.md': '---\ntitle: Overview\n---\nAcme runs jobs.\n',
  'docs/cancel.md': '---\ntitle: Cancel a job\n---\nTo cancel a job, press Cancel.\n',
};
const MAX_ASSISTANT_BYTES = 3000;

let stack: JobStack;
let names: ClientNames;
let folder: string;
let empty: string;
let tarball: string;
beforeAll(async () => {
  ({ stack, names } = await startClientStack({ files: FILES }));
  folder = await mkdtemp(join(tmpdir(), 'docent-client-'));
  empty = join(folder, 'empty');
  await mkdir(empty);
  await run('npm', ['pack', '--pack-destination', folder, ...QUIET], PACKAGE);
  tarball = join(folder, (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? '');
  await run('npm', ['install', '--offline', ...QUIET, tarball]);
}, 120_000);
afterAll(async () => {
  await stack?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

it('installs alone, with the licence', async () => {
  const installed = await readdir(join(empty, 'node_modules'));
  expect(installed.filter(name => !name.startsWith('.'))).toEqual(['docent-client']);
  const inside = await readdir(join(empty, 'node_modules/docent-client/dist'));
  expect(inside).toEqual(expect.arrayContaining(['LICENSE', 'docent.js', 'assistant.d.ts']));
});

it('runs the program of its README', async () => {
  expect(await quickstart(process.execPath)).toEqual(anAnswer());
});

it('runs it on Node 20, 22 and 24, on Deno and on Bun', async () => {
  for (const major of ['20', '22', '24'])
    expect([major, await quickstart(nodeRelease(major))]).toEqual([major, anAnswer()]);
  const packages = { deno: '2.9.6', bun: '1.4.5' };
  const bin = join(await installPackages('runtimes', { from: 'npm', packages }), 'node_modules');
  expect(await quickstart(join(bin, '.bin/deno'), 'run', '-A')).toEqual(anAnswer());
  expect(await quickstart(join(bin, '.bin/bun'), 'run')).toEqual(anAnswer());
}, 600_000);

it.each([
  ['TypeScript of this checkout', join(ROOT, 'node_modules/.bin/tsc'), 'NodeNext'],
  ['TypeScript 5', join(PACKAGE, 'node_modules/.bin/tsc'), 'NodeNext'],
  ['a bundler', join(PACKAGE, 'node_modules/.bin/tsc'), 'Bundler'],
])('has types in strict TypeScript: %s', async (_name, tsc, resolution) => {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] },
    ...{ target: 'ES2022', lib: ['ES2022', 'DOM'], moduleResolution: resolution },
    module: resolution === 'Bundler' ? 'ES2022' : resolution,
  };
  const config = JSON.stringify({ compilerOptions, files: ['use.mts'] });
  await writeFile(join(empty, 'tsconfig.json'), config);
  await writeFile(join(empty, 'use.mts'), USE);
  expect(await run(tsc, ['-p', '.'])).toBe('');
});

it('is small for browsers, and asks from a page of another origin', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export * from 'docent-client/assistant'", resolveDir: empty },
    ...{ bundle: true, minify: true, write: false, format: 'iife', globalName: 'docent' },
    platform: 'browser',
  });
  const { contents } = outputFiles[0]!;
  expect(gzipSync(contents).length).toBeLessThan(MAX_ASSISTANT_BYTES);
  const page = `<title>x</title><script>${Buffer.from(contents).toString()}</script>`;
  const site = await serveSite({ '/index.html': page });
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(`${site.url}/index.html`);
    const ask = `(async ({ BASE_URL: baseUrl, ASSISTANT_KEY: apiKey, DOMAIN: domain }) => {
      const assistant = new docent.Assistant({ baseUrl, apiKey, domain });
      const refused = await new docent.Assistant({ baseUrl, apiKey: 'svc_dsc_x', domain })
        .answer('x').catch(error => error);
      return [await assistant.answer('How do I cancel a job?'), refused.status, refused.requestId];
    })(${JSON.stringify(names)})`;
    expect(await tab.evaluate(ask)).toMatchObject([
      {
        text: expect.stringContaining('press Cancel') as string,
        sources: [{ title: 'Cancel a job', url: expect.stringContaining('/cancel') as string }],
      },
      401,
      expect.stringMatching(/^req_/),
    ]);
  } finally {
    await browser.close();
    site.close();
  }
});

it('is run by the steps of the action: a new job, a follow-up, and one that fails', async () => {
  const made = await act({
    prompt: 'Add a page docs/action.md titled "Action" with the text "Hello."',
    options: '{"asDraft": true}',
  });
  expect(made).toMatchObject({
    code: 0,
    outputs: { status: 'completed', outcome: 'published', 'waiting-for': '' },
  });
  const { job = '', 'pull-request': pullRequest = '' } = made.outputs;
  expect(pullRequest).toBe((await stack.job(job)).prLink);
  const followed = await act({
    job,
    prompt: 'Set the description of docs/action.md to "By an action"',
  });
  expect(followed).toMatchObject({ code: 0, outputs: { job, 'pull-request': pullRequest } });
  expect((await act({ job })).outputs).toEqual(followed.outputs);
  expect(await act({ prompt: 'x', options: '{"branch": "main"}' })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^::error::branch /m) as string,
  });
  expect(await act({})).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('::error::Error: Set prompt, job, or both.') as string,
  });
});

it('gives the action’s runner no commands of the model, and a status when the time ends', async () => {
  const job = { id: 'job_x', status: 'active', source: { repository: '', ref: null } };
  const sentence = 'Done\n::add-mask::x\r##[add-mask]y\u2028100%';
  const outcome = { result: 'published', sentence };
  const api = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(url?.endsWith('/messages') ? { outcome } : job));
  });
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  const given = { 'base-url': `http://127.0.0.1:${port}`, job: job.id };
  try {
    const late = await act({ ...given, 'timeout-minutes': '0.011' });
    expect(late).toMatchObject({ code: 1, outputs: { job: job.id, status: 'active' } });
    expect(late.stdout).toContain('::error::The wait for job_x ended after 0.66 seconds.');
    for (const minutes of ['1h', '-1', '35001'])
      expect(await act({ ...given, 'timeout-minutes': minutes })).toMatchObject({
        ...{ code: 1, outputs: {} },
        stdout: expect.stringContaining('timeout-minutes must be a number') as string,
      });
    job.status = 'completed';
    const said = await act({ ...given, 'timeout-minutes': '' });
    expect(said.outputs).toMatchObject({ status: 'completed', outcome: 'published' });
    expect(said.stdout).toMatch(/^Docent: Done ::add-mask::x ## \[add-mask\]y 100%$/m);
    expect(said.stdout).not.toMatch(/^\s*::|##\[/m);
    outcome.result = 'failed';
    const failed = await act(given);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stdout).toMatch(/^::error::Done ::add-mask::x ## \[add-mask\]y 100%25$/m);
  } finally {
    api.close();
  }
});

const USE = `
import { Docent, DocentError, type FollowedEvent, type Job } from 'docent-client';
import { Assistant, type AnswerPart } from 'docent-client/assistant';
const { jobs } = new Docent({ baseUrl: 'http://x', apiKey: 'svc_x', projectId: 'prj_x' });
const job: Job = await jobs.create({ prompt: 'x', asDraft: true });
export const link: string | null = (await jobs.wait(job.id, { until: one => !!one.prLink })).prLink;
for await (const event of jobs.events(job.id, { lastEventId: 3 })) {
  const one: FollowedEvent = event;
  if (one.type === 'finish') console.log(one.messageToUser.length, one.id + 1);
}
const assistant = new Assistant({ baseUrl: 'http://x', apiKey: 'svc_dsc_x', domain: 'x' });
for await (const part of assistant.ask('x', { threadId: 'x', filter: { language: 'en' } })) {
  const one: AnswerPart = part;
  if (one.type === 'source') console.log(one.url.length);
}
export const fields = (error: unknown) => (error instanceof DocentError ? error.fields[0]?.path : '');
// @ts-expect-error: no such option.
await jobs.create({ prompt: 'x', draft: true });
// @ts-expect-error: no such status.
export const wrong = job.status === 'done';
`;

const anAnswer = () => ({
  steps: expect.stringContaining('docs/support.md') as string,
  ended: expect.stringMatching(/^completed http/m) as string,
  diff: expect.stringMatching(/^\+description: How to reach us$/m) as string,
  answer: expect.stringMatching(/press Cancel[^]*\nCancel a job: http\S+\/cancel/) as string,
});

/** What the first program of the README prints, in parts. */
async function quickstart(program: string, ...args: string[]): Promise<object> {
  const readme = await readFile(join(empty, 'node_modules/docent-client/README.md'), 'utf8');
  const [, code = ''] = /^```js\n([^]*?)^```$/m.exec(readme) ?? [];
  await writeFile(join(empty, 'quickstart.mjs'), code);
  const printed = await run(program, [...args, 'quickstart.mjs'], empty, { ...names });
  const [, steps, ended, diff, answer] =
    /^([^]*?)^(completed .*\n)(diff [^]*?\n\n)([^]*)$/m.exec(printed) ?? [];
  return { steps, ended, diff, answer: answer ?? printed };
}

/** Runs the steps of the action as a runner does. */
async function act(
  values: Record<string, string>,
): Promise<{ code: number; stdout: string; outputs: Record<string, string> }> {
  const output = join(folder, 'output');
  await writeFile(output, '');
  const runner = { GITHUB_ACTION_PATH: ACTION, GITHUB_OUTPUT: output, RUNNER_TEMP: folder };
  const steps = await actionSteps(join(ACTION, 'action.yml'), {
    ...{ package: tarball, 'base-url': names.BASE_URL, key: names.ADMIN_KEY },
    project: names.PROJECT_ID,
    ...values,
  });
  let ended = { code: 0, stdout: '' };
  for (const { script, given } of steps)
    ended = await run('bash', ['-ec', script], empty, { ...runner, ...given }).then(
      stdout => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    );
  const lines = (await readFile(output, 'utf8')).split('\n').filter(Boolean);
  return { ...ended, outputs: Object.fromEntries(lines.map(line => line.split(/=(.*)/, 2))) };
}

/** What a program prints; its failure has it, too. */
async function run(
  program: string,
  args: string[],
  cwd = empty,
  given: Record<string, string> = {},
): Promise<string> {
  const { NODE_OPTIONS: _ours, ...own } = process.env;
  const options = { cwd, env: { ...own, ...given }, maxBuffer: 10_000_000 };
  return await promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout: string }) => {
      error.message += `\n${error.stdout}`;
      throw error;
    },
  );
}
