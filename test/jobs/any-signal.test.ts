import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { type JobView, MAX_PROMPT } from '../../shared/jobs/job.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, held } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const payload = (encoding: string | null, data: string): Payload => ({
  metadata: encoding === null ? {} : { encoding: utf8(encoding) },
  data: utf8(data),
});
const json = (value: unknown) => defaultPayloadConverter.toPayload(value);

/** What a handler of the SDK's never sees, because the SDK throws before: name and input. */
const UNREADABLE: [name: string, input: Payload[]][] = [
  ...[
    ['binary/encrypted', '{"prompt":"x"}'],
    ['json/protobuf', '{"prompt":"x"}'],
    ['binary/protobuf', '\u0001\u0002'],
    ['', '{"prompt":"x"}'],
    [null, '{"prompt":"x"}'],
    ['json/plain', '{"prompt":'],
    ['json/plain', ''],
    ['json/plain', '\ufffe'],
    ['JSON/PLAIN', '{"prompt":"x"}'],
    ['json/plain ', '{"prompt":"x"}'],
  ].flatMap(([encoding, data]): [string, Payload[]][] =>
    ['message', 'cancel', 'archive', 'other'].map(name => [name, [payload(encoding!, data!)]]),
  ),
  ['message', [{}]],
  ['message', [payload('json/plain', `${'['.repeat(20_000)}${']'.repeat(20_000)}`)]],
  ['message', [payload('binary/encrypted', 'x'), json({ prompt: 'x' })]],
  ['__temporal_message', [json({ prompt: 'x' })]],
  ['__temporal_workflow_metadata', []],
  ['__stack_trace', []],
  ['__enhanced_stack_trace', [payload('binary/encrypted', 'x')]],
  ['constructor', []],
  ['__proto__', [json(1)]],
  ['x'.repeat(900), []],
];

describe('whatever is signalled to a job', () => {
  let stack: JobStack;
  let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script.shift() ?? { text: 'Nothing more.' },
    });
  });
  afterAll(() => stack.close());

  const signal = (workflowId: string, signalName: string, payloads: Payload[]) =>
    stack.temporal.workflowService.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      signalName,
      input: { payloads },
    });
  const ignored = async (id: string) =>
    (await stack.temporal.workflow.getHandle(id).describe()).memo as {
      ignoredSignals: string[];
      ignoredSignalCount: number;
    };
  const prompts = async (id: string) => {
    const { rows } = await stack.pool.query<{ prompt: string; state: string }>(
      'select prompt, state from instructions where job_id = $1 order by seq',
      [id],
    );
    return rows;
  };
  /** A follow-up is carried out: the job is not blocked. */
  const goesOn = async (id: string) => {
    script = [{ text: 'Still here.' }];
    await stack.message(id, 'Are you there?');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    expect((await prompts(id)).at(-1)).toEqual({ prompt: 'Are you there?', state: 'taken' });
  };

  it('does no harm to a job at work, nor to one at rest, and is listed', async () => {
    const { reply, release } = held({ text: 'Done.' });
    script = [reply];
    const { id } = await stack.create('Say second');
    await until('the model is asked', () => stack.model.requests.length > 0);
    for (const [name, input] of UNREADABLE) await signal(id, name, input);
    release();
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    for (const [name, input] of UNREADABLE) await signal(id, name, input);
    await until(
      'all are listed',
      async () => (await ignored(id)).ignoredSignalCount === 2 * UNREADABLE.length,
    );
    const { ignoredSignals } = await ignored(id);
    expect(ignoredSignals).toHaveLength(10);
    expect(ignoredSignals).toContain('unknown signal "__temporal_message"');
    expect(await prompts(id)).toHaveLength(1);
    await goesOn(id);
  });

  it('takes as many of the longest instructions as may wait, at work and with a cancel', async () => {
    const before = stack.model.requests.length;
    const { reply, release } = held({ text: 'Looking.' });
    script = [reply, { text: 'All read.' }];
    const { id } = await stack.create('Say second');
    await until('the model is asked', () => stack.model.requests.length > before);
    const long = (n: number) => `${n} ${'é'.repeat(MAX_PROMPT - 10)}`;
    for (let n = 0; n < 40; n++) await signal(id, 'message', [json({ prompt: long(n) })]);
    release();
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    const all = await prompts(id);
    expect(all.map(({ state }) => state)).toEqual(Array(41).fill('taken'));
    expect(all[40]!.prompt.slice(0, 3)).toBe('39 ');

    const again = held({ text: 'Looking.' });
    script = [again.reply];
    await stack.message(id, 'Once more');
    await until('the model is asked', () => script.length === 0);
    for (let n = 0; n < 40; n++) await signal(id, 'message', [json({ prompt: long(n) })]);
    await signal(id, 'cancel', []);
    again.release();
    expect(await stack.rest(id)).toMatchObject({ status: 'failed' });
    expect((await prompts(id)).filter(({ state }) => state === 'dropped')).toHaveLength(40);
    await goesOn(id);
  }, 120_000);

  it('begins a new history at rest when ignored signals fill this one', async () => {
    script = [EDIT, FINISH];
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const handle = stack.temporal.workflow.getHandle(id);
    const { runId } = await handle.describe();
    const bursts = process.env['SLOW'] ? 200 : 45;
    const refused: string[] = [];
    for (let sent = 0; sent < bursts; sent++)
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          signal(id, n % 2 ? 'nonsense' : 'message', [json(n)]).catch((error: Error) =>
            refused.push(error.message),
          ),
        ),
      );
    // A server takes 10,000 signals of one run, and no new run begins while they pour in.
    expect(refused.filter(message => !message.includes('limit for signal events'))).toEqual([]);
    await until('another run', async () => (await handle.describe()).runId !== runId, 60_000);
    await goesOn(id);
    expect((await handle.describe()).status.name).toBe('RUNNING');
  }, 180_000);

  it('a cancel of a job that rests changes nothing', async () => {
    script = [{ text: 'Done.' }];
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const handle = stack.temporal.workflow.getHandle(id);
    await until('its workflow rests', async () => (await handle.query<JobView>('job')).isWaiting);
    await signal(id, 'cancel', []);
    await until('it is listed', async () => (await ignored(id)).ignoredSignalCount === 1);
    expect((await ignored(id)).ignoredSignals).toEqual(['cancel: the job is idle']);
    await goesOn(id);
  });
});
