import { setTimeout as sleep } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { startApi, type TestApi } from './harness.ts';

const ID = /^job_[0-9a-hjkmnp-tv-z]{26}$/;
const MEMBERS = ['archivedAt', 'createdAt', 'id', 'model', 'prLink', 'source', 'status'];

let api: TestApi;
let base: string;
beforeAll(async () => {
  api = await startApi();
  base = `/v2/agent/${api.tenant.project.id}`;
});
afterAll(() => api.close());

async function create(prompt = 'Rename Widget to Gadget in the docs', rest: object = {}) {
  const response = await api.call('POST', `${base}/job`, { body: { prompt, ...rest } });
  expect(response.statusCode).toBe(201);
  return response.json<{ id: string; status: string }>();
}

const rest = (id: string, state = 'completed') => api.pool.query('update jobs set state = $2, n = 99 where id = $1', [id, state]);
const row = async (id: string) => (await api.pool.query('select * from jobs where id = $1', [id])).rows[0];

describe('create', () => {
  it('answers 201 with Location and exactly the documented members, and starts the workflow under the same id', async () => {
    const response = await api.call('POST', `${base}/job`, { body: { prompt: 'Fix the título of the Install page!' } });
    expect(response.statusCode).toBe(201);
    const job = response.json();
    expect(Object.keys(job).sort()).toEqual(MEMBERS);
    expect(job).toMatchObject({
      id: expect.stringMatching(ID), status: 'active', model: 'docent-offline', prLink: null, archivedAt: null,
      source: { repository: 'http://docent.test/git/acme-docs.git', ref: null },
    });
    expect(new Date(job.createdAt).toISOString()).toBe(job.createdAt);
    expect(response.headers.location).toBe(`${base}/job/${job.id}`);
    expect(response.headers['x-request-id']).toMatch(/^req_/);
    expect((await row(job.id)).branch).toMatch(/^docent\/fix-the-titulo-of-the-install-page-[0-9a-z]{6}$/);

    const workflow = await api.temporal.workflow.getHandle(job.id).describe();
    expect(workflow.type).toBe('agentJob');
    expect(workflow.taskQueue).toBe(api.config.TASK_QUEUE);
    expect(await workflow.staticSummary()).toBe('acme-docs: Fix the título of the Install page!');
    expect(workflow.memo).toMatchObject({ requestId: response.headers['x-request-id'], projectId: api.tenant.project.id });
  });

  it('takes unknown members and null for optional ones', async () => {
    await create('Add a page', { branch: null, asDraft: null, model: null, color: 'red', deep: { a: '\u0000' } });
  });

  it.each<[string, unknown, string, string]>([
    ['no prompt', {}, 'prompt is required and takes a string of 1 to 100000 characters.', 'prompt'],
    ['an empty prompt', { prompt: '' }, 'prompt must be a string of 1 to 100000 characters.', 'prompt'],
    ['a number for a prompt', { prompt: 5 }, 'prompt must be a string of 1 to 100000 characters.', 'prompt'],
    ['null for a prompt', { prompt: null }, 'prompt must be a string of 1 to 100000 characters.', 'prompt'],
    ['too long a prompt', { prompt: 'x'.repeat(100_001) }, 'prompt must be a string of 1 to 100000 characters.', 'prompt'],
    ['U+0000 in a prompt', { prompt: 'a\u0000b' }, 'prompt must not contain the character U+0000.', 'prompt'],
    ['an unknown model', { prompt: 'x', model: 'haiku' }, 'model must be "sonnet" or "opus".', 'model'],
    ['text for asDraft', { prompt: 'x', asDraft: 'true' }, 'asDraft must be true or false.', 'asDraft'],
    ['an array', [], 'The body must be an object.', ''],
    ['the base branch', { prompt: 'x', branch: 'main' }, 'branch is the base, the default or a protected branch of the repository; the agent works on a branch of its own.', 'branch'],
    ...['a..b', 'a b', '-a', 'a.lock', '/a', 'a/', 'a//b', '.a', 'a/.b', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[', 'a\\b', '@', 'a@{b', 'HEAD', 'refs/heads/a', 'a.', 'a\u0007'].map(branch =>
      [`the branch name ${JSON.stringify(branch)}`, { prompt: 'x', branch }, 'branch is not a name that git takes for a branch.', 'branch'] satisfies [string, unknown, string, string]),
  ])('refuses %s', async (_name, body, sentence, path) => {
    const before = await api.pool.query('select count(*) from jobs');
    const response = await api.call('POST', `${base}/job`, { body });
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.json()).toEqual({
      type: 'urn:docent:problem:invalid-request', title: 'The request is not valid', status: 400, detail: sentence, error: sentence,
      instance: `urn:docent:request:${response.headers['x-request-id']}`, errors: [{ path, message: expect.any(String) }],
    });
    expect((await api.pool.query('select count(*) from jobs')).rows).toEqual(before.rows);
  });

  it('refuses a branch that another open job holds, and a protected one', async () => {
    await create('one', { branch: 'feature/held' });
    const response = await api.call('POST', `${base}/job`, { body: { prompt: 'two', branch: 'feature/held' } });
    expect(response.statusCode).toBe(409);
    await api.pool.query(`insert into local_repositories (name, protected) values ('acme-docs', '{release}')`);
    expect((await api.call('POST', `${base}/job`, { body: { prompt: 'two', branch: 'release' } })).statusCode).toBe(400);
  });

  it('lets a branch go whose job rests without an open pull request', async () => {
    const first = await create('one', { branch: 'feature/free' });
    await rest(first.id);
    await create('two', { branch: 'feature/free' });
    const reopened = await api.call('POST', `${base}/job/${first.id}/message`, { body: { prompt: 'more' } });
    expect(reopened.statusCode).toBe(409);
    expect((await row(first.id)).state).toBe('completed');
  });

  it('keeps a branch held while its pull request is open', async () => {
    const first = await create('one', { branch: 'feature/open' });
    await rest(first.id);
    await api.pool.query(`insert into local_repositories (name) values ('acme-docs') on conflict do nothing`);
    await api.pool.query(
      `insert into local_pull_requests (repository, number, token, title, body, head, base, head_commit, base_commit, job_id)
       values ('acme-docs', 1, 'token', 't', 'b', 'feature/open', 'main', 'c1', 'c0', $1)`, [first.id]);
    expect((await api.call('POST', `${base}/job`, { body: { prompt: 'two', branch: 'feature/open' } })).statusCode).toBe(409);
    await api.pool.query(`update local_pull_requests set state = 'merged'`);
    await create('two', { branch: 'feature/open' });
  });
});

describe('Idempotency-Key', () => {
  const post = (key: string, body: unknown, url = `${base}/job`) => api.call('POST', url, { body, headers: { 'idempotency-key': key } });

  it('gives one job to parallel and later repeats', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => post('parallel', { prompt: 'once' })));
    const made = responses.filter(({ statusCode }) => statusCode === 201);
    expect(made.length).toBeGreaterThanOrEqual(1);
    for (const { statusCode } of responses) expect([201, 409]).toContain(statusCode);
    const later = await post('parallel', { prompt: 'once' });
    expect(later.statusCode).toBe(201);
    expect(new Set([...made, later].map(response => response.json().id)).size).toBe(1);
    expect((await api.pool.query(`select count(*) from jobs where prompt = 'once'`)).rows[0].count).toBe(1);
  });

  it('answers 422 for another body, and keeps keys of projects, routes and callers apart', async () => {
    const first = (await post('reused', { prompt: 'a' })).json();
    const other = await post('reused', { prompt: 'b' });
    expect(other.statusCode).toBe(422);
    expect((await post('reused', { prompt: 'b' }, `${base}/job/${first.id}/message`)).statusCode).toBe(200);
    const stranger = await api.call('POST', `/v2/agent/${api.stranger.project.id}/job`, { key: api.stranger.adminKey, body: { prompt: 'b' }, headers: { 'idempotency-key': 'reused' } });
    expect(stranger.statusCode).toBe(201);
  });

  it('answers 409 while the first request is under way, and the job once its process must be dead', async () => {
    const { id } = (await post('slow', { prompt: 'slow' })).json();
    await api.pool.query(`update idempotency_keys set completed_at = null where key = 'slow'`);
    const response = await post('slow', { prompt: 'slow' });
    expect(response.statusCode).toBe(409);
    expect(response.headers['retry-after']).toBe('1');
    await api.pool.query(`update idempotency_keys set created_at = now() - interval '61 seconds' where key = 'slow'`);
    expect((await post('slow', { prompt: 'slow' })).json().id).toBe(id);
  });

  it('stores nothing for a refused request', async () => {
    expect((await post('refused', { prompt: 'x', branch: 'main' })).statusCode).toBe(400);
    expect((await post('refused', { prompt: 'y' })).statusCode).toBe(201);
  });

  it('must be printable', async () => {
    expect((await post('has space', { prompt: 'x' })).statusCode).toBe(400);
    expect((await post('x'.repeat(256), { prompt: 'x' })).statusCode).toBe(400);
  });

  it('sends a message once', async () => {
    const { id } = await create();
    const url = `${base}/job/${id}/message`;
    const responses = await Promise.all(Array.from({ length: 6 }, () => post('message', { prompt: 'again' }, url)));
    for (const { statusCode } of responses) expect([200, 409]).toContain(statusCode);
    expect((await post('message', { prompt: 'again' }, url)).statusCode).toBe(200);
    expect((await api.pool.query('select count(*) from instructions where job_id = $1', [id])).rows[0].count).toBe(2);
  });
});

describe('message', () => {
  it('stores the instruction, signals its id, and makes a resting job active', async () => {
    const { id } = await create();
    await rest(id, 'failed');
    const prompt = `Also ${'very '.repeat(100)}much`;
    const response = await api.call('POST', `${base}/job/${id}/message`, { body: { prompt } });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id, status: 'active', prLink: null });
    const { rows: [stored] } = await api.pool.query('select * from instructions where job_id = $1 order by seq desc limit 1', [id]);
    expect(stored).toMatchObject({ prompt, state: 'waiting', source: 'api' });
    const { events } = await api.temporal.workflow.getHandle(id).fetchHistory();
    const signal = events!.find(event => event.workflowExecutionSignaledEventAttributes)!.workflowExecutionSignaledEventAttributes!;
    const payload = JSON.parse(Buffer.from(signal.input!.payloads![0]!.data!).toString());
    expect(payload).toMatchObject({ messageId: stored.message_id, stored: true });
    expect(payload.prompt).toHaveLength(200);
  });

  it('answers 409 once archived', async () => {
    const { id } = await create();
    await api.pool.query('update jobs set archived_at = now() where id = $1', [id]);
    const response = await api.call('POST', `${base}/job/${id}/message`, { body: { prompt: 'x' } });
    expect(response.statusCode).toBe(409);
    expect(response.json().error).toBe('The job is archived and takes no more messages; create a new job.');
  });

  it('answers 429 with the limit’s headers when 100 wait', async () => {
    const { id } = await create();
    await api.pool.query(`insert into instructions (job_id, message_id, prompt, source) select $1, 'm' || i, 'x', 'signal' from generate_series(1, 99) i`, [id]);
    const response = await api.call('POST', `${base}/job/${id}/message`, { body: { prompt: 'x' } });
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({ 'retry-after': '10', ratelimit: '"waiting-instructions";r=0;t=10', 'ratelimit-policy': '"waiting-instructions";q=100' });
  });

  it('settles a job whose workflow was terminated, and leaves nothing of the message', async () => {
    const { id } = await create();
    await rest(id);
    await api.temporal.workflow.getHandle(id).terminate();
    expect((await api.call('POST', `${base}/job/${id}/message`, { body: { prompt: 'x' } })).statusCode).toBe(409);
    expect(await row(id)).toMatchObject({ state: 'completed', archived_at: expect.any(Date) });
    const { rows } = await api.pool.query(`select state from instructions where job_id = $1 order by seq desc limit 1`, [id]);
    expect(rows[0].state).toBe('withdrawn');
  });
});

describe('get', () => {
  it('answers from the row when no worker can be asked, within the deadline', async () => {
    const { id } = await create();
    const began = performance.now();
    const response = await api.call('GET', `${base}/job/${id}`);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(response.statusCode).toBe(200);
    expect(Object.keys(response.json()).sort()).toEqual(MEMBERS);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  it('has a strong ETag, and 304 for it', async () => {
    const { id } = await create();
    await api.pool.query('update jobs set archived_at = now() where id = $1', [id]);
    const { headers } = await api.call('GET', `${base}/job/${id}`);
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    const same = await api.call('GET', `${base}/job/${id}`, { headers: { 'if-none-match': `"x", ${headers.etag as string}` } });
    expect(same.statusCode).toBe(304);
    expect(same.body).toBe('');
    await api.pool.query(`update jobs set ref = 'docent/x' where id = $1`, [id]);
    const changed = await api.call('GET', `${base}/job/${id}`, { headers: { 'if-none-match': headers.etag as string } });
    expect(changed.statusCode).toBe(200);
    expect(changed.json().source.ref).toBe('docent/x');
  });

  it('waits with Prefer until the job rests, told by NOTIFY', async () => {
    const { id } = await create();
    await api.temporal.workflow.getHandle(id).terminate(); // a closed workflow without a worker: the query fails at once
    const began = performance.now();
    const waiting = api.call('GET', `${base}/job/${id}`, { headers: { prefer: 'wait=30' } });
    await sleep(1_500);
    await api.pool.query(`with moved as (update jobs set state = 'completed', n = 5, pr_link = 'http://pr' where id = $1 returning id) select pg_notify('job_events', id) from moved`, [id]);
    const response = await waiting;
    expect(performance.now() - began).toBeLessThan(4_500);
    expect(response.json()).toMatchObject({ status: 'completed', prLink: 'http://pr' });
    expect(response.headers['preference-applied']).toBe('wait=30');
  });

  it('gives up waiting after N seconds', async () => {
    const { id } = await create();
    const began = performance.now();
    const response = await api.call('GET', `${base}/job/${id}`, { headers: { prefer: 'respond-async, wait=2' } });
    expect(response.json().status).toBe('active');
    expect(performance.now() - began).toBeGreaterThan(1_900);
    expect(performance.now() - began).toBeLessThan(4_500);
  });
});

describe('list', () => {
  it('pages through the project’s jobs, newest first, each once', async () => {
    const { tenant: { project } } = api;
    await api.pool.query(`delete from jobs where project_id = $1`, [project.id]);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await create(`job ${i}`)).id);
    await rest(ids[1]!);
    await api.pool.query(`update jobs set state = 'given_up' where id = $1`, [ids[3]]);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await api.call('GET', `${base}/jobs?limit=2${cursor}`)).json();
      seen.push(...page.jobs.map((job: { id: string }) => job.id));
      cursor = page.nextCursor && `&cursor=${page.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual([ids[0], ids[1], ids[2], ids[4]]);
    expect((await api.call('GET', `${base}/jobs?status=completed`)).json().jobs.map((job: { id: string }) => job.id)).toEqual([ids[1]]);
    expect((await api.call('GET', `${base}/jobs?status=active`)).json().jobs).toHaveLength(3);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'status=archived', 'cursor=%00', 'cursor=a b'])('refuses ?%s', async query => {
    expect((await api.call('GET', `${base}/jobs?${query}`)).statusCode).toBe(400);
  });
});

describe('cancel and archive', () => {
  it('leave a resting job as it is, and an active one is not archived', async () => {
    const { id } = await create();
    expect((await api.call('POST', `${base}/job/${id}/archive`)).statusCode).toBe(409);
    await api.pool.query(`update jobs set state = 'failed', archived_at = now() where id = $1`, [id]);
    const cancelled = await api.call('POST', `${base}/job/${id}/cancel`, { headers: { 'content-type': 'application/json' } });
    expect(cancelled.statusCode).toBe(200);
    expect(cancelled.json().status).toBe('failed');
    expect((await api.call('POST', `${base}/job/${id}/archive`, { body: {} })).json().archivedAt).not.toBeNull();
  });
});

describe('when Temporal forgets or refuses', () => {
  it('a start that cannot be made leaves no job behind and answers 503; a repeat makes one', async () => {
    const start = api.temporal.workflow.start;
    const { ServiceError } = await import('@temporalio/client');
    api.temporal.workflow.start = () => Promise.reject(new ServiceError('away', { cause: Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: 'away', metadata: {} }) }));
    const headers = { 'idempotency-key': 'unlucky' };
    try {
      const response = await api.call('POST', `${base}/job`, { body: { prompt: 'unlucky', branch: 'feature/unlucky' }, headers });
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('5');
    } finally {
      api.temporal.workflow.start = start;
    }
    const { rows } = await api.pool.query(`select id, state from jobs where prompt = 'unlucky'`);
    expect(rows).toEqual([{ id: expect.any(String), state: 'given_up' }]);
    expect((await api.call('GET', `${base}/job/${rows[0].id}`)).statusCode).toBe(404);
    await expect(api.temporal.workflow.getHandle(rows[0].id).describe()).rejects.toThrow(WorkflowNotFoundError);
    const repeat = await api.call('POST', `${base}/job`, { body: { prompt: 'unlucky', branch: 'feature/unlucky' }, headers });
    expect(repeat.statusCode).toBe(201);
    expect(repeat.json().id).not.toBe(rows[0].id);
  });
});

it('keeps one connection for all who wait', async () => {
  const { id } = await create();
  const waiting = Array.from({ length: 20 }, () => api.call('GET', `${base}/job/${id}`, { headers: { prefer: 'wait=2' } }));
  await sleep(1_000);
  const { rows } = await api.pool.query(`select count(*) from pg_stat_activity where datname = current_database() and query = 'listen job_events'`);
  expect(rows[0].count).toBe(1);
  await Promise.all(waiting);
});
