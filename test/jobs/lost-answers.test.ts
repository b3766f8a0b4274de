import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { createLogger } from '../../shared/logger.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };

describe('an answer of Temporal that is lost', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];

  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: () => script.shift() ?? { text: 'Nothing to do.' },
    });
  }, 60_000);
  afterAll(() => stack.close());

  it('to the signal of a follow-up that was read: the follow-up counts, once', async () => {
    script = [EDIT, FINISH];
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const path = `/v2/agent/${stack.project.id}/job/${id}/message`;
    const send = () =>
      stack.call('POST', path, { prompt: 'And once more' }, { 'idempotency-key': 'again' });

    const restore = loseSignalAnswers(stack, () => isTaken(stack, id, 'And once more'));
    const first = await send();
    restore();
    await stack.rest(id);
    const repeat = await send();

    expect([first.status, repeat.status]).toEqual([200, 200]);
    const { rows } = await stack.pool.query(
      `select state from instructions where job_id = $1 and prompt = 'And once more'`,
      [id],
    );
    expect(rows).toEqual([{ state: 'taken' }]);
  });

  it('with the API that waited for it: the repeat delivers, before any later message', async () => {
    script = [EDIT, FINISH];
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const path = `/v2/agent/${stack.project.id}/job/${id}/message`;
    const send = (prompt: string) =>
      stack.call('POST', path, { prompt }, { 'idempotency-key': prompt.replaceAll(' ', '-') });

    const signals = withholdSignals(stack);
    const dead = send('The first wish');
    await until('it is stored', async () => (await statesOf(stack, id)).length === 2);
    signals.pass();
    expect((await send('The first wish')).status).toBe(409); // it may be alive
    await stack.pool.query(
      `update idempotency_keys set created_at = now() - interval '61 s' where completed_at is null`,
    );
    const repeat = await send('The first wish');
    const later = await send('The second wish');
    expect([repeat.status, later.status]).toEqual([200, 200]);
    await stack.rest(id);
    const told = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
    expect(told.indexOf('The first wish')).toBeGreaterThan(0);
    expect(told.indexOf('The second wish')).toBeGreaterThan(told.indexOf('The first wish'));

    // It was only slow, and hears of a failure now: what was acknowledged stays.
    signals.fail();
    expect((await dead).status).toBe(200);
    expect(await statesOf(stack, id)).toEqual(['taken', 'taken', 'taken']);
  });

  it('is not taken for that of a later message with its key', async () => {
    script = [EDIT, FINISH];
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const path = `/v2/agent/${stack.project.id}/job/${id}/message`;
    const send = () =>
      stack.call('POST', path, { prompt: 'A wish' }, { 'idempotency-key': 'a-wish' });
    const held = holdSignals(stack);
    const signalled = (count: number) =>
      until(`${count} signals are held`, async () => held.signals.length === count);

    const slow = send();
    await signalled(1);
    await stack.pool.query(
      `update idempotency_keys set created_at = now() - interval '61 s' where completed_at is null`,
    );
    const repeat = send();
    await signalled(2);
    held.signals[0]!.fail(); // withdrawn, and its key is free again
    expect((await slow).status).toBe(500);
    const next = send();
    await signalled(3);
    held.signals[1]!.pass();
    expect((await repeat).status).toBe(503); // the message that it delivered is no more
    held.signals[2]!.fail();
    expect((await next).status).toBe(500); // nobody has told anybody that this one counts
    held.restore();
    expect(await statesOf(stack, id)).toEqual(['taken', 'withdrawn', 'withdrawn']);
    expect((await send()).status).toBe(200);
    await stack.rest(id);
    expect(await statesOf(stack, id)).toEqual(['taken', 'withdrawn', 'withdrawn', 'taken']);
  });

  it('to two follow-ups at once: the job rests again as it did before', async () => {
    script = [EDIT, FINISH];
    const { id } = await stack.create('Say second');
    const before = await stack.rest(id);
    const held = holdSignals(stack);
    const send = (prompt: string) =>
      stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/message`, { prompt });
    const sent = [send('The first wish'), send('The second wish')];
    await until('both are stored', async () => held.signals.length === 2);
    expect((await stack.job(id)).status).toBe('active');
    for (const signal of held.signals) signal.fail();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([500, 500]);
    held.restore();
    expect(await stack.job(id)).toEqual(before);
  });

  it('to a follow-up that the end of the turn saw waiting: the workflow is told, then rests', async () => {
    script = [EDIT, { ...FINISH, delayMs: 1_500 }];
    const { id } = await stack.create('Say second');
    await until('the model is asked to finish', async () => script.length === 0);
    const held = holdSignals(stack);
    const path = `/v2/agent/${stack.project.id}/job/${id}`;
    const sent = stack.call('POST', `${path}/message`, { prompt: 'And once more' });
    await until('it is stored', async () => held.signals.length === 1);
    await until('the turn has ended', async () => hasEnded(stack, id));
    held.signals[0]!.fail();
    expect((await sent).status).toBe(500);
    held.restore();
    expect((await stack.job(id)).status).toBe('active'); // as its workflow
    await stack.pool.query(
      "update jobs set updated_at = now() - interval '2 minutes' where id = $1",
      [id],
    );
    const { config, pool, temporal } = stack;
    await sweepJobs({ config, pool, temporal, log: createLogger('silent') });
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    expect((await stack.call('POST', `${path}/cancel`)).status).toBe(200); // changes nothing
    await stack.message(id, 'And more');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    expect(await statesOf(stack, id)).toEqual(['taken', 'withdrawn', 'taken']);
  });
});

interface HeldSignal {
  pass(): void;
  fail(): void;
}

/** Each signal waits for what is decided of it. */
function holdSignals(stack: JobStack): { signals: HeldSignal[]; restore(): void } {
  const client = stack.temporal.workflow;
  const original = client.getHandle.bind(client);
  const signals: HeldSignal[] = [];
  client.getHandle = ((...args: Parameters<typeof original>) => {
    const handle = original(...args);
    const signal = handle.signal.bind(handle);
    handle.signal = async (...sent: Parameters<typeof signal>) => {
      await new Promise<void>((resolve, reject) => {
        const fail = () =>
          reject(Object.assign(new Error('the connection was lost'), { code: UNAVAILABLE }));
        signals.push({ pass: resolve, fail });
      });
      await signal(...sent);
    };
    return handle;
  }) as typeof client.getHandle;
  return {
    signals,
    restore() {
      client.getHandle = original;
    },
  };
}

async function hasEnded({ pool }: JobStack, jobId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'select from jobs where id = $1 and finished_at is not null',
    [jobId],
  );
  return rowCount === 1;
}

async function statesOf({ pool }: JobStack, jobId: string): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>(
    'select state from instructions where job_id = $1 order by seq',
    [jobId],
  );
  return rows.map(({ state }) => state);
}

/** No signal leaves before `pass`; those of until then fail at `fail`. */
function withholdSignals(stack: JobStack): { pass(): void; fail(): void } {
  const client = stack.temporal.workflow;
  const original = client.getHandle.bind(client);
  let fail = () => {};
  const lost = new Promise<never>((_, reject) => {
    fail = () => reject(Object.assign(new Error('the connection was lost'), { code: UNAVAILABLE }));
  });
  lost.catch(() => undefined);
  client.getHandle = ((...args: Parameters<typeof original>) =>
    Object.assign(original(...args), { signal: () => lost })) as typeof client.getHandle;
  return {
    pass() {
      client.getHandle = original;
    },
    fail,
  };
}

/** gRPC's code for a server that cannot be reached. */
const UNAVAILABLE = 14;

/** Every signal reaches the workflow; its sender hears that the server is unavailable. */
function loseSignalAnswers(stack: JobStack, delivered: () => Promise<boolean>): () => void {
  const client = stack.temporal.workflow;
  const original = client.getHandle.bind(client);
  client.getHandle = ((...args: Parameters<typeof original>) => {
    const handle = original(...args);
    const signal = handle.signal.bind(handle);
    handle.signal = async (...sent: Parameters<typeof signal>) => {
      await signal(...sent);
      await until('the instruction is read', delivered);
      throw Object.assign(new Error('the connection was lost'), { code: UNAVAILABLE });
    };
    return handle;
  }) as typeof client.getHandle;
  return () => {
    client.getHandle = original;
  };
}

async function isTaken(stack: JobStack, jobId: string, prompt: string): Promise<boolean> {
  const { rows } = await stack.pool.query<{ state: string }>(
    'select state from instructions where job_id = $1 and prompt = $2',
    [jobId, prompt],
  );
  return rows[0]?.state === 'taken';
}
