import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import { startCodecServer } from '../../cli/connect/codec-server.ts';
import {
  clientConverter,
  EncryptionCodec,
  workerConverter,
} from '../../shared/secrets/payload-codec.ts';
import { createProject } from '../../db/projects/projects.ts';
import { scheduleId } from '../../shared/jobs/automation.ts';
import { schedulesOf } from '../../shared/jobs/schedule-client.ts';
import { file, stageOf } from '../automations/stage.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';
import { testTemporal, testWorkflows } from '../support/services.ts';
import { until } from '../support/until.ts';

const KEY = 'the key of these tests, of more than 32 characters';
const PROMPT = 'Water the heliograph';
const FOLLOW_UP = 'Polish the heliograph';
const STRICT = { encrypts: true, others: 'refused' } as const;
const OLD = new EncryptionCodec(['old'], STRICT);
const json = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});
const text = ({ data }: Payload) => Buffer.from(data!).toString();

/** All that strings and bytes in it say. */
function texts(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value ? Object.values(value).map(texts).join('\n') : '';
}

describe('encrypted payloads', () => {
  it('are opened by the key of before, and whatever else comes passes', async () => {
    const [sealed] = await OLD.encode([json({ a: 1 })]);
    expect(text(sealed!)).not.toContain('"a"');
    const rotated = new EncryptionCodec(['new', 'old'], STRICT);
    const [opened] = await rotated.decode([sealed!]);
    expect(text(opened!)).toBe('{"a":1}');
    const without = new EncryptionCodec(['new'], STRICT);
    const metadata = sealed!.metadata!;
    const strange = [
      json('plain'),
      sealed!, // of a key that is lost
      ...[{ metadata }, { metadata, data: Buffer.alloc(3) }, { metadata: {} }, {}],
    ] as Payload[];
    expect(await without.decode(strange)).toEqual(strange);
    const broken = { ...sealed!, data: Buffer.from(sealed!.data!).fill(0, 20, 24) };
    expect(await OLD.decode([broken])).toEqual([broken]);
    // A list has what neighbours wrote, too.
    const [codec] = clientConverter({ ENCRYPTION_KEYS_BEFORE: '' }).payloadCodecs!;
    expect((await codec!.decode([sealed!, json('plain')])).map(text)).toEqual(['null', '"plain"']);
  });

  it('are asked for only with a key', () => {
    expect(workerConverter({ ENCRYPTION_KEYS_BEFORE: '' })).toEqual({});
    expect(() =>
      workerConverter({ TEMPORAL_ENCRYPTION: 'true', ENCRYPTION_KEYS_BEFORE: '' }),
    ).toThrow('TEMPORAL_ENCRYPTION needs ENCRYPTION_KEY');
  });
});

describe('jobs whose histories are encrypted', () => {
  let stack: JobStack;
  const replies = [
    ...[edit('first', 'second'), finish('Water it')],
    ...[edit('second', 'third'), finish('Polish it')],
    ...[edit('first', 'other'), finish('Water it differently')],
  ];
  beforeAll(async () => {
    stack = await startJobStack({
      files: {
        'docs/guide.md': '# Guide\n\nThe first line.\n',
        '.docent/workflows/weekly.md': file('name: Weekly\non: { cron: "0 6 * * 1" }'),
      },
      script: () => replies.shift() ?? { text: 'Nothing to do.' },
      env: { TEMPORAL_ENCRYPTION: 'true', ENCRYPTION_KEY: KEY },
    });
  }, 60_000);
  afterAll(() => stack?.close());

  it('take the signals of scripts, are taken back, and show no text to the server', async () => {
    const { id } = await stack.create(PROMPT);
    await stack.rest(id);
    // As `temporal workflow signal` sends it.
    const script = new Client({ connection: stack.temporal.connection });
    await script.workflow.getHandle(id).signal('message', { prompt: FOLLOW_UP });
    await until('it has taken it', () => stack.model.requests.length >= 4, 60_000);
    await stack.rest(id);
    const plain = new Client({ connection: stack.temporal.connection });
    const { events } = await plain.workflow.getHandle(id).fetchHistory();
    const stored = texts(events);
    expect(stored).not.toContain(PROMPT);
    expect(stored.match(/Polish the heliograph/g)).toHaveLength(1); // what the script sent
    expect(stored).not.toContain('"limits"');

    const rewound = await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/rewind`, {
      turn: 2,
      step: 1,
    });
    expect([200, 202]).toContain(rewound.status);
    await stack.rest(id);
  }, 90_000);

  it('fail with a sentence that people read, and the server does not', async () => {
    const { organizationId, host, repository, repositoryUrl, docsFolder } = stack.project;
    const { id: projectId } = await createProject(stack.pool, {
      ...{ organizationId, host, repository, repositoryUrl, docsFolder },
      ...{ name: 'Missing', domain: 'missing', baseRef: 'heliostat' },
    });
    const made = await stack.call('POST', `/v2/agent/${projectId}/job`, { prompt: PROMPT });
    const { id } = made.body as { id: string };
    const path = `/v1/agent/${projectId}/job/${id}`;
    const plain = new Client({ connection: stack.temporal.connection });
    await until(
      'it has failed',
      async () => ((await stack.call('GET', path)).body as { haulted: boolean }).haulted,
      60_000,
    );
    expect((await stack.call('GET', path)).body).toMatchObject({
      messageToUser: expect.stringContaining('heliostat'),
    });
    const { events } = await plain.workflow.getHandle(id).fetchHistory();
    const failed = events!.flatMap(event => event.activityTaskFailedEventAttributes?.failure ?? []);
    expect(failed).toMatchObject([{ message: 'Encoded failure', stackTrace: '' }]);
    expect(texts(events)).not.toContain('heliostat');
  }, 90_000);

  it('replay', async () => {
    const { id } = await stack.create(PROMPT);
    await stack.rest(id);
    const job = stack.temporal.workflow.getHandle(id);
    await until('its task is over', async () => !(await job.describe()).raw.pendingWorkflowTask);
    const history = await job.fetchHistory();
    const replay = (ENCRYPTION_KEY: string) =>
      Worker.runReplayHistory(
        {
          workflowBundle: { codePath: testWorkflows() },
          dataConverter: workerConverter({ ENCRYPTION_KEY, ENCRYPTION_KEYS_BEFORE: '' }),
        },
        history,
        id,
      );
    await expect(replay(KEY)).resolves.toBeUndefined();
    await expect(replay('another key, of more than 32 characters')).rejects.toThrow();
  }, 90_000);

  it('are shown by the CLI through the codec server, to nobody else', async () => {
    const { id } = await stack.create(PROMPT);
    await stack.rest(id);
    const server = await startCodecServer(new EncryptionCodec([KEY], STRICT), {
      port: 0,
      uis: ['http://localhost:8233'],
    });
    try {
      const show = async (...more: string[]) => {
        const command = ['workflow', 'show', '-w', id, '-o', 'json', ...more];
        const at = ['--address', testTemporal().address];
        const { stdout } = await promisify(execFile)(testTemporal().cliPath, [...command, ...at]);
        return stdout.replaceAll(/"data": "([^"]*)"/g, (_, data: string) => atob(data));
      };
      expect(await show()).not.toContain('"limits"');
      expect(await show('--codec-endpoint', server.url)).toContain('"limits"');
      const ask = (headers: Record<string, string>) =>
        fetch(`${server.url}/decode`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"payloads": []}',
        });
      expect((await ask({ origin: 'https://evil.example' })).status).toBe(403);
      const answer = await ask({ origin: 'http://localhost:8233' });
      expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:8233');
      expect(await answer.json()).toEqual({ payloads: [] });
    } finally {
      await server.close();
    }
  }, 60_000);

  it('wait for a worker with the key of a message, and lose nothing', async () => {
    const { id } = await stack.create('Say nothing');
    await stack.rest(id);
    const other = new EncryptionCodec(['the key of tomorrow'], STRICT);
    const rotated = new Client({
      connection: stack.temporal.connection,
      dataConverter: { payloadCodecs: [other] },
    });
    const asked = stack.model.requests.length;
    await rotated.workflow.getHandle(id).signal('message', { prompt: 'Say something' });
    const attempts = async () => {
      const { raw } = await stack.temporal.workflow.getHandle(id).describe();
      return raw.pendingWorkflowTask?.attempt ?? 0;
    };
    await until('no worker can read it', async () => (await attempts()) > 1, 30_000);
    stack.config.ENCRYPTION_KEYS_BEFORE = 'the key of tomorrow';
    await stack.startWorker();
    await until('it is read', () => stack.model.requests.length > asked, 60_000);
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
  }, 150_000);

  it('are not those of schedules, which outlive every key', async () => {
    const stage = stageOf(stack);
    await stage.index();
    const { id } = await stage.named('Weekly');
    const schedule = schedulesOf(stack.temporal).getHandle(scheduleId(id));
    await until(
      'it is scheduled',
      () =>
        schedule.describe().then(
          () => true,
          () => false,
        ),
      60_000,
    );
    const plain = new Client({ connection: stack.temporal.connection });
    const { action, memo } = await plain.schedule.getHandle(scheduleId(id)).describe();
    expect(action).toMatchObject({ args: [{ automationId: id }] });
    expect(memo).toEqual({ taskQueue: stack.config.TASK_QUEUE });
  }, 90_000);
});
