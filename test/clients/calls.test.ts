import { rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Assistant, DocentError as AssistantError } from '../../clients/typescript/assistant.ts';
import {
  type Connection,
  Docent,
  DocentError,
  type FollowedEvent,
  type Jobs,
} from '../../clients/typescript/docent.ts';
import { startDocent, temporaryFolder } from '../support/docent.ts';
import type { JobStack } from '../support/job-stack.ts';
import { EDIT, edit, FINISH, finish, held } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { type ClientNames, startClientStack } from './client-stack.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const PLAN = {
  summary: 'The guide says second.',
  changes: [{ path: 'docs/guide.md', change: 'Say second.' }],
  questions: [],
};
const PROPOSE: ScriptedReply = { toolUses: [{ name: 'propose_plan', input: PLAN }] };

let stack: JobStack;
let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
let names: ClientNames;
let jobs: Jobs;
const servers: Server[] = [];
beforeAll(async () => {
  ({ stack, names } = await startClientStack({
    files: FILES,
    script: () => script.shift() ?? { text: 'Nothing more.' },
  }));
  jobs = client().jobs;
});
afterAll(async () => {
  await stack.close();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

const client = (more: Partial<Connection & { projectId: string }> = {}) =>
  new Docent({
    ...{ baseUrl: stack.baseUrl, apiKey: stack.adminKey, projectId: stack.project.id },
    ...more,
  });
const assistant = (more: Partial<Connection & { domain: string }> = {}) =>
  new Assistant({
    ...{ baseUrl: stack.baseUrl, apiKey: names.ASSISTANT_KEY, domain: names.DOMAIN },
    ...more,
  });

/** Hands the first requests to `changes`, one each, and the others on as they are. */
function fetchWith(...changes: ((send: () => Promise<Response>) => Promise<Response>)[]) {
  const sent: Headers[] = [];
  const altered: typeof fetch = async (input, init) => {
    sent.push(new Headers(init?.headers));
    const change = changes.shift();
    const send = () => fetch(input, init);
    return change ? await change(send) : await send();
  };
  return { fetch: altered, sent };
}

/** What else may listen at an address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const failure = async (call: Promise<unknown>) => {
  const error: unknown = await call.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DocentError)) throw new Error(`Not a DocentError: ${String(error)}`);
  return error;
};

describe('a job', () => {
  it('is created, waited for, read and listed', async () => {
    script = [EDIT, FINISH];
    const { id, status } = await jobs.create({ prompt: 'Say second' });
    expect(status).toBe('active');
    const job = await jobs.wait(id);
    expect(job).toMatchObject({ id, status: 'completed', prLink: expect.any(String) as string });
    expect(await jobs.get(id)).toEqual(job);
    expect(await jobs.diff(id)).toContain('+The second line.');
    expect((await jobs.messages(id)).outcome).toMatchObject({ result: 'published' });
    expect((await jobs.list({ status: 'completed', limit: 1 })).jobs).toMatchObject([{ id }]);
    expect(await jobs.archive(id)).toMatchObject({ archivedAt: expect.any(String) as string });
  });

  it('waits for a person, who approves; a decline is final', async () => {
    script = [PROPOSE];
    const { id } = await jobs.create({ prompt: 'Say second', requirePlanApproval: true });
    expect(await jobs.wait(id)).toMatchObject({ status: 'completed', waitingFor: 'approval' });
    script = [EDIT, FINISH];
    const decided = jobs.wait(id, { until: job => job.prLink !== null });
    expect(await jobs.approve(id, { turn: 1 })).toMatchObject({ status: 'active' });
    expect(await decided).not.toHaveProperty('waitingFor');
    expect(await failure(jobs.decline(id))).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('takes a follow-up and a cancel; a wait ends with its time or its signal', async () => {
    const model = held(FINISH);
    script = [model.reply];
    const { id } = await jobs.create({ prompt: 'Say second' });
    await jobs.message(id, { prompt: 'Say third' });
    const late = await failure(jobs.wait(id, { timeoutMs: 300 }));
    expect(late).toMatchObject({ code: 'timeout', status: 0 });
    const stopped = new Error('enough');
    const controller = new AbortController();
    const waits = jobs.wait(id, { signal: controller.signal });
    controller.abort(stopped);
    await expect(waits).rejects.toBe(stopped);
    await jobs.cancel(id);
    model.release();
    expect(await jobs.wait(id)).toMatchObject({ status: 'failed' });
  });

  it('waits for a preview that comes after the end, and in parts of a millisecond', async () => {
    script = [FINISH];
    const { id } = await jobs.create({ prompt: 'Say second' });
    const ended = await jobs.wait(id);
    expect(await jobs.wait(id, { until: job => job.previewUrl !== undefined })).toEqual(ended);
    const previewed = jobs.wait(id, {
      ...{ until: job => job.previewUrl !== undefined, afterEndMs: 60_000, timeoutMs: 59_999.5 },
    });
    await pause(500);
    await stack.pool.query(
      "update jobs set preview_url = 'https://preview.acme.test', version = version + 1 where id = $1",
      [id],
    );
    expect(await previewed).toMatchObject({ id, previewUrl: 'https://preview.acme.test' });
    const late = await failure(
      jobs.wait(id, { until: () => false, afterEndMs: 9e9, timeoutMs: 0.5 }),
    );
    expect(late).toMatchObject({ code: 'timeout' });
  });

  it('is listed once on one of several pages', async () => {
    const listed: string[] = [];
    for await (const { id } of jobs.all({ limit: 1 })) listed.push(id);
    const { jobs: page } = await jobs.list();
    expect(listed).toEqual(page.map(({ id }) => id));
    expect(listed.length).toBeGreaterThan(2);
  });
});

describe('events', () => {
  it('continue after the API was killed and after an end that is not the job’s', async () => {
    const first = held(edit('first', 'third'));
    const last = held(finish('Say third'));
    script = [first.reply, last.reply];
    const { id } = await jobs.create({ prompt: 'Say third' });
    // A proxy that ends the first stream as if it were complete, before anything was read.
    const { fetch: proxied, sent } = fetchWith(async send => {
      await (await send()).body?.cancel();
      return new Response(': x\n\n', { headers: { 'content-type': 'text/event-stream' } });
    });
    const read: FollowedEvent[] = [];
    for await (const event of client({ fetch: proxied }).jobs.events(id)) {
      read.push(event);
      if (event.type === 'instruction') {
        const restart = await stack.killApi();
        first.release();
        setTimeout(() => void restart(), 1000);
      }
      if (event.type === 'tool_result') last.release();
    }
    expect(read.map(event => event.id)).toEqual(read.map((_, index) => index + 1));
    expect(read.at(-1)).toMatchObject({ type: 'finish', outcome: 'published' });
    expect(sent.length).toBeGreaterThan(3);
    // The job is idle by now, and the first connection is cut at once.
    const { fetch: cut } = fetchWith(async () => {
      const body = new ReadableStream({ start: stream => stream.error(new Error('cut')) });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    });
    const rest: number[] = [];
    for await (const event of client({ fetch: cut }).jobs.events(id, { lastEventId: 3 }))
      rest.push(event.id);
    expect(rest).toEqual(read.slice(3).map(event => event.id));
  });

  it('are followed by the command past a restart, as is a job that it waits for', async () => {
    const model = held(FINISH);
    script = [EDIT, model.reply];
    const folder = await temporaryFolder();
    const run = (...words: string[]) =>
      startDocent(folder, ['job', ...words], {
        ...{ BASE_URL: stack.baseUrl, ADMIN_KEY: stack.adminKey },
        PROJECT_ID: stack.project.id,
      });
    const before = (await jobs.list({ limit: 1 })).jobs[0]?.id;
    const waiting = run('create', 'Say second', '--wait');
    let id = before;
    while (id === before) {
      await pause(100);
      id = (await jobs.list({ limit: 1 })).jobs[0]?.id;
    }
    const watching = run('watch', id ?? '');
    await watching.prints(/> Say second/);
    const restart = await stack.killApi();
    await pause(3000);
    await restart();
    model.release();
    for (const { ended } of [waiting, watching])
      expect(await ended).toMatchObject({
        ...{ code: 0, stderr: '' },
        stdout: expect.stringContaining('published') as string,
      });
    await rm(folder, { recursive: true, force: true });
  });

  it('end when the reader leaves or aborts', async () => {
    const model = held(FINISH);
    script = [model.reply];
    const { id } = await jobs.create({ prompt: 'Say second' });
    for await (const { type } of jobs.events(id)) {
      expect(type).toBe('status');
      break;
    }
    const enough = new Error('enough');
    const controller = new AbortController();
    const reading = (async () => {
      for await (const { type } of jobs.events(id, { signal: controller.signal }))
        if (type === 'instruction') setTimeout(() => controller.abort(enough), 100);
    })();
    await expect(reading).rejects.toBe(enough);
    await jobs.cancel(id);
    model.release();
  });
});

describe('a request', () => {
  const problem = (status: number, retryAfter?: string) => async () =>
    Response.json(
      { type: 'urn:docent:problem:limit-exceeded', detail: 'Limit exceeded.' },
      {
        status,
        headers: {
          'content-type': 'application/problem+json',
          ...(retryAfter && { 'retry-after': retryAfter }),
        },
      },
    );
  const lose = async (send: () => Promise<Response>) => {
    await send();
    throw new TypeError('The connection was lost.');
  };

  it('is repeated with the same key after 503, 409, 429 and a lost answer, and has one effect', async () => {
    const { fetch: flaky, sent } = fetchWith(
      ...[503, 409, 429].map(status => problem(status, '0')),
      lose,
    );
    const made = client({ fetch: flaky, maxRetries: 4 }).jobs;
    const before = (await jobs.list({ limit: 100 })).jobs.length;
    script = [{ text: 'Nothing to do.' }];
    const { id } = await made.create({ prompt: 'Say nothing' });
    expect((await jobs.list({ limit: 100 })).jobs.length).toBe(before + 1);
    const keys = sent.map(headers => headers.get('idempotency-key'));
    expect(keys).toHaveLength(5);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    await jobs.wait(id);
  });

  it('is repeated as often as asked, not after a long Retry-After, never as a question', async () => {
    const busy = fetchWith(problem(503, '0'), problem(503, '0'));
    expect(await failure(client({ fetch: busy.fetch, maxRetries: 1 }).jobs.list())).toMatchObject({
      ...{ status: 503, code: 'limit-exceeded', retryAfter: 0 },
    });
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const long = fetchWith(problem(429, inAnHour));
    const { retryAfter } = await failure(client({ fetch: long.fetch }).jobs.list());
    expect(retryAfter).toBeGreaterThan(3500);
    expect(long.sent).toHaveLength(1);
    const lost = fetchWith(lose);
    expect(await failure(assistant({ fetch: lost.fetch }).answer('first?'))).toMatchObject({
      code: 'unreachable',
    });
    expect(lost.sent).toHaveLength(1);
  });

  it('fails with what the API says', async () => {
    const invalid = await failure(jobs.create({ prompt: '' }));
    expect(invalid).toMatchObject({
      ...{ name: 'DocentError', status: 400, code: 'invalid-request' },
      type: 'urn:docent:problem:invalid-request',
      message: expect.stringContaining('prompt') as string,
      requestId: expect.stringMatching(/^req_/) as string,
      fields: [{ path: 'prompt', message: expect.any(String) as string }],
    });
    const status = async (call: Promise<unknown>) => (await failure(call)).status;
    expect(await status(jobs.get('job_none'))).toBe(404);
    expect(await status(client({ apiKey: names.ASSISTANT_KEY }).jobs.list())).toBe(403);
    expect(await status(client({ apiKey: 'svc_x' }).jobs.list())).toBe(401);
  });

  it('says that something else answers, too late, or nothing', async () => {
    const html = await serve((_, response) =>
      response.setHeader('content-type', 'text/html').end('<p>Sign in'),
    );
    const moved = await serve(({ url }, response) =>
      response.writeHead(302, { location: `${stack.baseUrl}${url}` }).end(),
    );
    const silent = await serve(() => {});
    const code = async (baseUrl: string) =>
      (await failure(client({ baseUrl, maxRetries: 0, timeoutMs: 200 }).jobs.list())).code;
    expect(await code(html)).toBe('not-docent');
    expect(await code(moved)).toBe('not-docent');
    expect(await code(silent)).toBe('timeout');
    expect(await code('http://127.0.0.1:1')).toBe('unreachable');
    expect(() => client({ baseUrl: 'docent.example.com' })).toThrow(TypeError);
    expect(() => client({ apiKey: '' })).toThrow(TypeError);
  });
});

describe('the assistant', () => {
  it('answers with sources and continues the thread, searches, reads pages and takes votes', async () => {
    const reader = assistant();
    script = [{ text: 'The first line.' }];
    const parts: string[] = [];
    for await (const { type } of reader.ask('first line')) parts.push(type);
    expect([parts[0], parts.at(-1)]).toEqual(['start', 'finish']);
    expect(parts).toEqual(expect.arrayContaining(['text']));
    script = [{ text: 'The first line.' }, { text: 'Again.' }];
    const { threadId, messageId, text } = await reader.answer('first line');
    expect(text).toContain('The first line.');
    expect((await reader.answer('again', { threadId })).threadId).toBe(threadId);
    await reader.vote({ threadId, messageId, helpful: true });
    expect(await reader.search({ query: 'first line' })).toMatchObject([{ path: '/guide' }]);
    expect((await reader.page({ path: '/guide' })).content).toContain('The first line.');
  });

  it('fails in the stream with the reason, and for one that is cut', async () => {
    script = [
      { text: 'The first line.', errorEventMidStream: { afterEvents: 3, type: 'api_error' } },
    ];
    const failed = await failure(assistant().answer('first line'));
    expect(failed).toMatchObject({ code: 'answer-failed', message: expect.any(String) as string });
    expect(failed).toBeInstanceOf(AssistantError);
    for (const ending of ['destroy', 'end'] as const) {
      const baseUrl = await serve((_, response) => {
        response.setHeader('content-type', 'text/event-stream');
        response.write('data: {"type":"text-delta","id":"1","delta":"The"}\n\n');
        setTimeout(() => response[ending](), 50);
      });
      expect((await failure(assistant({ baseUrl }).answer('x'))).code).toBe('interrupted');
    }
  });

  it('stops when it is aborted', async () => {
    script = [{ text: 'The first line, word by word.', dripMs: 300 }];
    const enough = new Error('enough');
    const controller = new AbortController();
    const reading = (async () => {
      for await (const part of assistant().ask('first line', { signal: controller.signal }))
        if (part.type === 'start') controller.abort(enough);
    })();
    await expect(reading).rejects.toBe(enough);
  });
});
