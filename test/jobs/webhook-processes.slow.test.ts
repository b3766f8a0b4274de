import { transform } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../cli/embedded/ports.ts';
import type { DeliveryBody, EndpointBody } from '../../shared/webhooks/schemas.ts';
import { docent, startDocent, temporaryFolder } from '../support/docent.ts';
import { settingsOf } from '../support/fork-worker.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { passTime, type Receiver, startReceiver } from './webhook-receiver.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Beside the packages, which the receiver of the docs imports. */
const FOLDER = join(ROOT, 'node_modules/.cache/docent-webhooks');

let stack: JobStack;
let receiver: Receiver;
let dataDir: string;
let script: ScriptedReply[] = [];
const servers: ReturnType<typeof startDocent>[] = [];
beforeAll(async () => {
  dataDir = await temporaryFolder();
  mkdirSync(FOLDER, { recursive: true });
  receiver = await startReceiver();
  stack = await startJobStack({
    files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
    script: () => script.shift() ?? { text: 'Nothing more.' },
    env: {
      ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
      ENCRYPTION_KEY: 'a key of the tests, of more than 32 characters',
    },
  });
}, 60_000);
afterAll(async () => {
  for (const { process: server } of servers) server.kill('SIGKILL');
  await stack?.close();
  await receiver?.close();
  for (const folder of [dataDir, FOLDER]) rmSync(folder, { recursive: true, force: true });
});

/** `docent webhook …`, as a script calls it. */
async function command(...args: string[]): Promise<string> {
  const env = { BASE_URL: stack.baseUrl, ADMIN_KEY: stack.adminKey };
  const { code, stdout, stderr } = await docent(dataDir, ['webhook', ...args], env);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${stderr}`);
  return stdout.trim();
}

async function list(): Promise<EndpointBody[]> {
  return JSON.parse(await command('list', '--json')) as EndpointBody[];
}

/** The receiver of the docs, as a process. */
async function startDocumented(secret: string, port: number) {
  const page = readFileSync(join(ROOT, 'docs/operate/webhooks.md'), 'utf8');
  const [, code = ''] = /^```ts receiver\n(.*?)^```$/ms.exec(page) ?? [];
  const file = join(FOLDER, 'receiver.mjs');
  writeFileSync(file, (await transform(code, { loader: 'ts' })).code);
  const child: ChildProcess = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return { child, printed: () => printed.trim().split('\n').filter(Boolean) };
}

it('reaches the receiver of the docs, with the commands of the docs', async () => {
  const port = await freePort('127.0.0.1');
  const url = `http://127.0.0.1:${port}/`;
  const events = ['job.completed', 'pull_request.opened'];
  const secret = await command('add', url, '--event', ...events, '--only', stack.project.id);
  expect(secret).toMatch(/^whsec_/);
  const [{ id }] = (await list()) as [EndpointBody];
  const documented = await startDocumented(secret, port);
  try {
    await until('it listens', async () => (await fetch(url, { method: 'POST' })).status === 401);
    expect(await command('test', id)).toBe('delivered: 204');
    script = [EDIT, FINISH];
    const job = await stack.create('Say second');
    await stack.rest(job.id);
    const expected = [`webhook.test ${id}`, ...events.map(event => `${event} ${job.id}`)];
    await until('all are printed', () => documented.printed().length >= expected.length);
    expect(documented.printed().toSorted()).toEqual(expected.toSorted());

    // Sent again, it is known there by its id.
    const deliveries = JSON.parse(await command('deliveries', id, '--json')) as DeliveryBody[];
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(await command('resend', id, deliveries[0]!.id)).toBe('Sent again: 1.');
    await until('it was sent', async () => {
      const now = JSON.parse(await command('deliveries', id, '--json')) as DeliveryBody[];
      return now[0]?.state === 'delivered' && now[0].attemptedAt !== deliveries[0]?.attemptedAt;
    });
    expect(documented.printed()).toHaveLength(expected.length);

    // The receiver still has the old secret, which no longer signs.
    expect(await command('rotate', id, '--grace-hours', '0')).toMatch(/^whsec_/);
    await expect(command('test', id)).rejects.toThrow('The test was not delivered.');
    expect(await command('disable', id)).toBe(`${id} is disabled.`);
    await expect(command('test', id)).rejects.toThrow('This webhook is disabled: enable it first.');
    expect(await command('enable', id)).toBe(`${id} is active.`);
    expect(await command('remove', id)).toBe(`${id} is removed.`);
    expect(await list()).toEqual([]);
  } finally {
    documented.child.kill();
  }
}, 120_000);

it('loses nothing when the process that sends is killed, and several send at once', async () => {
  const made = await command('add', receiver.url, '--event', 'job.completed', '--json');
  const { webhook, secret } = JSON.parse(made) as { webhook: EndpointBody; secret: string };
  receiver.trust(secret);
  receiver.answer = () => ({ status: 204, afterMs: 1_000 });
  const startApi = await stack.killApi();
  const { rows } = await stack.pool.query<{ id: string }>(
    `insert into webhook_deliveries (endpoint_id, event_id, type, body)
     select $1, 'evt_' || n, 'job.completed', webhook_body('job.completed', '{}')
       from generate_series(1, 40) n returning event_id as id`,
    [webhook.id],
  );
  for (let n = 0; n < 2; n += 1) {
    const settings = { ...settingsOf(stack), PORT: String(await freePort('127.0.0.1')) };
    servers.push(startDocent(dataDir, ['api'], { ...settings, DATA_DIR: dataDir }));
  }
  await until('both send', () => receiver.attempts.length >= 15, 60_000);
  for (const { process: server, ended } of servers) {
    server.kill('SIGKILL');
    await ended;
  }
  expect(receiver.known.size).toBeLessThan(rows.length);
  await startApi();
  await passTime(stack.pool, '61 seconds');
  const undelivered = `select 1 from webhook_deliveries where state <> 'delivered'`;
  await until(
    'all are delivered',
    async () => (await stack.pool.query(undelivered)).rowCount === 0,
    60_000,
  );
  expect([...receiver.known.keys()].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
  // Only what was being sent at the kill came twice: five of each process.
  const twice = receiver.attempts.length - rows.length;
  expect(twice).toBeGreaterThan(0);
  expect(twice).toBeLessThanOrEqual(10);
  expect(receiver.forged()).toBe(0);
}, 120_000);
