import { type Connection, Docent, type Job } from '../../clients/typescript/docent.ts';
import { Assistant, DocentError } from '../../clients/typescript/assistant.ts';
import { describeFailure, EXIT } from '../../cli/output/failure.ts';

// What Docent itself does not answer, but proxies and lost connections do.

const KEY = 'svc_secret';
const ACTIVE: Partial<Job> = {
  ...{ id: 'job_x', status: 'active' },
  source: { repository: '', ref: null },
};
const FINISH = { type: 'finish', messageToUser: 'One\u2028two\u2029three: four' };

type Answer = () => Response | Promise<Response>;
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
      ...headers,
    },
  });
const stream = (text: string) =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const unavailable: Answer = () =>
  json({ type: 'urn:docent:problem:unavailable', detail: 'Unavailable.' }, 503, {
    'retry-after': '0',
  });
const lost: Answer = () => Promise.reject(new TypeError('The connection was lost.'));

/** Answers in this order; the last one stays. */
function answering(...answers: Answer[]) {
  const sent: RequestInit[] = [];
  const fake: typeof fetch = async (_, init) => {
    sent.push(init ?? {});
    return await (answers.length > 1 ? answers.shift()! : answers[0]!)();
  };
  const connection = { baseUrl: 'http://docent.test', apiKey: KEY, fetch: fake };
  return {
    sent,
    jobs: (more: Partial<Connection> = {}) =>
      new Docent({ ...connection, projectId: 'prj_x', ...more }).jobs,
    assistant: new Assistant({ ...connection, domain: 'x' }),
  };
}

const failure = async (call: () => Promise<unknown>) => {
  try {
    await call();
  } catch (error) {
    return error as DocentError;
  }
  throw new Error('It did not fail.');
};

describe('events', () => {
  const idle = () => json({ ...ACTIVE, status: 'completed' });
  const whole = () => stream(`id: 1\ndata:${JSON.stringify(FINISH)}\n\n: x\n\n`);

  it('may contain the line separators of JavaScript', async () => {
    const { jobs } = answering(whole, () => stream(''), idle);
    const read: unknown[] = [];
    for await (const event of jobs().events('job_x')) read.push(event);
    expect(read).toEqual([{ ...FINISH, id: 1 }]);
  });

  it('are continued after 503 for the job itself', async () => {
    const failing = Array.from({ length: 3 }, () => unavailable);
    const { jobs, sent } = answering(() => stream(': x\n\n'), ...failing, idle);
    const read: unknown[] = [];
    for await (const event of jobs({ maxRetries: 0 }).events('job_x')) read.push(event);
    expect(read).toEqual([]);
    expect(sent).toHaveLength(5);
  });
});

describe('wait', () => {
  it.each<[string, () => Record<string, string>]>([
    ['drops', () => ({})],
    ['changes', () => ({ etag: `"${Math.random()}"` })],
  ])('sends a request in two seconds if a proxy %s ETags', async (_, headers) => {
    const { jobs, sent } = answering(() => json(ACTIVE, 200, headers()));
    const error = await failure(() => jobs().wait('job_x', { timeoutMs: 2500 }));
    expect(error).toMatchObject({ code: 'timeout' });
    expect(sent).toHaveLength(3);
  });

  it('ends with a job that has ended, but not while the job waits for a person', async () => {
    const waiting = () => json({ ...ACTIVE, status: 'completed', waitingFor: 'approval' });
    const failed = () => json({ ...ACTIVE, status: 'failed' });
    const { jobs } = answering(waiting, failed);
    const job = await jobs().wait('job_x', { until: ({ source }) => source.ref !== null });
    expect(job).toMatchObject({ status: 'failed' });
  });
});

describe('a request', () => {
  it.each([`${KEY}\n`, `${KEY} x`, `${KEY}é`, ''])('is not sent with the key %j', async apiKey => {
    const { jobs } = answering(unavailable);
    const error = await failure(async () => jobs({ apiKey }));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/^apiKey /);
    expect(error.message).not.toContain(KEY);
    expect(error.cause).toBeUndefined();
  });

  it('is not sent with an idempotency key or a body that cannot be sent', async () => {
    const { jobs, sent } = answering(unavailable);
    const once = { idempotencyKey: 'sécret' };
    const error = await failure(() => jobs().create({ prompt: 'x' }, once));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).not.toContain(once.idempotencyKey);
    const round = { prompt: 'x', self: {} };
    round.self = round;
    expect(await failure(() => jobs().create(round))).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  });

  it.each<[string, Answer]>([
    ['503', unavailable],
    ['a lost connection', lost],
  ])('to rewind is not repeated after %s', async (_, answer) => {
    const { jobs, sent } = answering(answer);
    await failure(() => jobs().rewind('job_x', { step: 1 }));
    expect(sent).toHaveLength(1);
  });

  it('of a question is repeated after 503', async () => {
    const { assistant, sent } = answering(unavailable);
    expect(await failure(() => assistant.answer('x'))).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(3);
  });

  it.each<[string, Answer]>([
    ['has no type', () => json({ title: 'Teapot' }, 418)],
    ['has a number as its type', () => json({ type: 1 }, 418)],
    ['is nothing', () => json(null, 418)],
    [
      'is not JSON',
      () =>
        new Response('<p>', {
          status: 418,
          headers: { 'content-type': 'application/problem+json' },
        }),
    ],
  ])('fails once if a problem %s', async (_, answer) => {
    const { jobs, sent } = answering(answer);
    const error = await failure(() => jobs().list());
    expect(error).toMatchObject({ code: 'not-docent', status: 418 });
    expect(sent).toHaveLength(1);
  });
});

it('is a sentence on the command line, with the code of its status', () => {
  const of = (status: number) =>
    describeFailure(new DocentError('It failed.', { code: 'x', status }));
  expect(of(0)).toEqual({ text: 'It failed.', exitCode: EXIT.failed });
  expect(of(404)).toEqual({ text: 'It failed.', exitCode: EXIT.notFound });
});
