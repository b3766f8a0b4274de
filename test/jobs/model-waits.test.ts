import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import type { ScriptedFault, ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

/** What a job does while its model is slow or fails, and what people see of it. */
describe('a model that is slow or fails', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script.shift() ?? { text: 'Nothing more.' },
      env: { MODEL_IDLE_TIMEOUT_SECONDS: '1', MODEL_TIMEOUT_SECONDS: '3' },
    });
  });
  afterAll(() => stack.close());

  const begin = (...replies: ScriptedReply[]) => {
    script = [...replies];
    return stack.create('Say second');
  };
  const fault = (status: number, message: string, wait = 20): ScriptedFault => ({
    status,
    message,
    headers: { 'retry-after-ms': String(wait) },
  });
  const retries = async (id: string) => {
    const { rows } = await stack.pool.query<{ reason: string; attempt: number }>(
      `select data->>'reason' as reason, (data->>'attempt')::int as attempt from job_events
        where job_id = $1 and type = 'retry' order by seq`,
      [id],
    );
    return rows;
  };
  const end = async (id: string) => {
    await stack.rest(id);
    const { rows } = await stack.pool.query<{ state: string; message: string }>(
      'select state, message_to_user as message from jobs where id = $1',
      [id],
    );
    return rows[0]!;
  };
  const server = () => new URL(stack.model.url).host;

  it('tells each reason for a retry once, with server, status and the server’s own sentence', async () => {
    const { id } = await begin(
      ...[1, 2, 3].map(n => fault(429, `Slow down: try again in ${n}.5s (req_${n}a).`)),
      fault(503, 'Loading model'),
      fault(503, 'Loading model'),
      EDIT,
      FINISH,
    );
    expect(await end(id)).toMatchObject({ state: 'completed' });
    expect(await retries(id)).toEqual([
      {
        reason:
          'The model’s API is limiting our requests; try again later. ' +
          `(${server()} answered 429 api_error: Slow down: try again in 1.5s (req_1a).)`,
        attempt: 1,
      },
      {
        reason: `The model’s API failed. (${server()} answered 503 api_error: Loading model)`,
        attempt: 4,
      },
    ]);
  });

  it('ends when a 500 gives the same reason of its own three times', async () => {
    const before = stack.model.requests.length;
    const { id } = await begin(...Array(5).fill(fault(500, 'Unsupported tool type: x')));
    expect(await end(id)).toEqual({
      state: 'failed',
      message:
        `The model’s API failed. (${server()} answered 500 api_error: ` +
        'Unsupported tool type: x)',
    });
    expect(stack.model.requests.length - before).toBe(3);
    expect(await retries(id)).toHaveLength(1);
  });

  it('waits where a 500 has no reason, or another one each time', async () => {
    const { id } = await begin(
      ...Array(5).fill(fault(500, 'Internal server error')),
      fault(500, 'Out of memory'),
      fault(500, 'Out of slots'),
      fault(500, 'Out of memory'),
      EDIT,
      FINISH,
    );
    expect(await end(id)).toMatchObject({ state: 'completed' });
    expect(await retries(id)).toHaveLength(4);
  });

  it('waits as long as something comes, and shows how much that is', async () => {
    const before = stack.model.requests.length;
    const text = 'This is a long answer that comes slowly. '.repeat(30);
    const { id } = await begin({ ...EDIT, text, dripMs: 60 }, FINISH);
    const { workflow } = stack.temporal;
    const progress = async () => {
      const { raw } = await workflow.getHandle(id).describe();
      const [payload] = raw.pendingActivities?.[0]?.heartbeatDetails?.payloads ?? [];
      return payload?.data ? String(Buffer.from(payload.data)) : '';
    };
    await until(
      'tokens in the heartbeat',
      async () => /"tokens":[1-9]\d/.test(await progress()),
      10_000,
    );
    expect(await end(id)).toMatchObject({ state: 'completed' });
    expect(stack.model.requests.length - before).toBe(2);
    expect(await retries(id)).toEqual([]);
  });

  it('waits longer for the first byte than for the next; a silent stream is asked again', async () => {
    const before = stack.model.requests.length;
    const { id } = await begin(
      { ...EDIT, delayMs: 2_000 },
      { text: 'x', silentMs: 60_000 },
      FINISH,
    );
    expect(await end(id)).toMatchObject({ state: 'completed' });
    expect(stack.model.requests.length - before).toBe(3);
    expect((await retries(id)).map(({ reason }) => reason)).toEqual([
      `The model’s API could not be reached. (${server()}: the stream brought nothing for 1 s)`,
    ]);
  });
});
