import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { startCodecServer } from '../../cli/connect/codec-server.ts';
import { dataConverter, EncryptionCodec } from '../../shared/secrets/payload-codec.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

const KEY = 'the key of these tests, of more than 32 characters';
const PROMPT = 'Water the heliograph';
const FOLLOW_UP = 'Polish the heliograph';
const OLD = new EncryptionCodec(['old'], true);
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
    const rotated = new EncryptionCodec(['new', 'old'], true);
    const [opened] = await rotated.decode([sealed!]);
    expect(text(opened!)).toBe('{"a":1}');
    const without = new EncryptionCodec(['new'], true);
    const metadata = sealed!.metadata!;
    const strange = [
      json('plain'),
      sealed!, // of a key that is lost
      ...[{ metadata }, { metadata, data: Buffer.alloc(3) }, { metadata: {} }, {}],
    ] as Payload[];
    expect(await without.decode(strange)).toEqual(strange);
    const broken = { ...sealed!, data: Buffer.from(sealed!.data!).fill(0, 20, 24) };
    expect(await OLD.decode([broken])).toEqual([broken]);
  });

  it('are asked for only with a key', () => {
    expect(dataConverter({ ENCRYPTION_KEYS_BEFORE: '' })).toEqual({});
    expect(() =>
      dataConverter({ TEMPORAL_ENCRYPTION: 'true', ENCRYPTION_KEYS_BEFORE: '' }),
    ).toThrow('TEMPORAL_ENCRYPTION needs ENCRYPTION_KEY');
  });
});

describe('jobs whose histories are encrypted', () => {
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '# Guide\n\nThe first line.\n' },
      script: [
        ...[edit('first', 'second'), finish('Water it')],
        ...[edit('second', 'third'), finish('Polish it')],
        ...[edit('first', 'other'), finish('Water it differently')],
      ],
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

  it('are shown by the CLI through the codec server, to nobody else', async () => {
    const { id } = await stack.create(PROMPT);
    await stack.rest(id);
    const server = await startCodecServer(new EncryptionCodec([KEY], true), {
      port: 0,
      ui: 'http://localhost:8233',
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
});
