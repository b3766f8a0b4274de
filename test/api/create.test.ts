import { WorkflowNotFoundError } from '@temporalio/client';
import { startApi, type TestApi } from './harness.ts';
import { until } from '../support/until.ts';

const ID = /^job_[0-9a-hjkmnp-tv-z]{26}$/;
const MEMBERS = ['archivedAt', 'createdAt', 'id', 'model', 'prLink', 'source', 'status'];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('create', () => {
  it('answers 201 with Location and exactly the documented members, and starts the workflow under the same id', async () => {
    const response = await api.call('POST', `${api.base}/job`, {
      body: { prompt: 'Fix the título of the Install page!' },
    });
    expect(response.statusCode).toBe(201);
    const job = response.json();
    expect(Object.keys(job).sort()).toEqual(MEMBERS);
    expect(job).toMatchObject({
      id: expect.stringMatching(ID),
      status: 'active',
      model: 'docent-offline',
      prLink: null,
      archivedAt: null,
      source: { repository: 'http://docent.test/git/acme-docs.git', ref: null },
    });
    expect(new Date(job.createdAt).toISOString()).toBe(job.createdAt);
    expect(response.headers.location).toBe(`${api.base}/job/${job.id}`);
    expect(response.headers['x-request-id']).toMatch(/^req_/);
    expect((await api.jobRow(job.id)).branch).toMatch(
      /^docent\/fix-the-titulo-of-the-install-page-[0-9a-z]{6}$/,
    );

    const workflow = await api.temporal.workflow.getHandle(job.id).describe();
    expect(workflow.type).toBe('agentJob');
    expect(workflow.taskQueue).toBe(api.config.TASK_QUEUE);
    expect(await workflow.staticSummary()).toBe('acme-docs: Fix the título of the Install page!');
    expect(await workflow.staticDetails()).toBe(
      `[The job in the dashboard](http://docent.test/dashboard/acme/acme-docs/jobs/${job.id})`,
    );
    expect(workflow.memo).toMatchObject({
      requestId: response.headers['x-request-id'],
      projectId: api.tenant.project.id,
    });
  });

  it('takes unknown members and null for optional ones', async () => {
    const { id } = await api.createJob('Add a page', {
      branch: null,
      asDraft: null,
      model: null,
      color: 'red',
      deep: { a: '\u0000' },
    });
    expect((await api.jobRow(id)).branch).toMatch(/^docent\/add-a-page-/);
  });

  it('takes a text that was cut within a character', async () => {
    const { id } = await api.createJob('Add a page \uD83C');
    expect((await api.jobRow(id)).prompt).toBe('Add a page \uFFFD');
  });

  it('counts characters, not the units of UTF-16', async () => {
    const prompt = '😀'.repeat(100_000);
    const { id } = await api.createJob(prompt);
    expect((await api.jobRow(id)).prompt).toBe(prompt);
  });

  it.each<[string, unknown, string, string]>([
    [
      'no prompt',
      {},
      'prompt is required and must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'an empty prompt',
      { prompt: '' },
      'prompt must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'a number for a prompt',
      { prompt: 5 },
      'prompt must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'null for a prompt',
      { prompt: null },
      'prompt must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'a blank prompt',
      { prompt: ' \n\u00a0\t' },
      'prompt must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'too long a prompt in characters of two units',
      { prompt: '😀'.repeat(100_001) },
      'prompt must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'too long a prompt',
      { prompt: 'x'.repeat(100_001) },
      'prompt must be a string of 1 to 100000 characters, not only blanks.',
      'prompt',
    ],
    [
      'U+0000 in a prompt',
      { prompt: 'a\u0000b' },
      'prompt must not contain the character U+0000.',
      'prompt',
    ],
    [
      'an unknown model',
      { prompt: 'x', model: 'haiku' },
      'model must be "sonnet" or "opus".',
      'model',
    ],
    [
      'text for asDraft',
      { prompt: 'x', asDraft: 'true' },
      'asDraft must be true or false.',
      'asDraft',
    ],
    ['an array', [], 'The body must be an object.', ''],
    [
      'the base branch',
      { prompt: 'x', branch: 'main' },
      'branch is the base, the default or a protected branch of the repository; the agent works on a branch of its own.',
      'branch',
    ],
    ...[
      'a..b',
      'a b',
      '-a',
      'a.lock',
      '/a',
      'a/',
      'a//b',
      '.a',
      'a/.b',
      'a~1',
      'a^',
      'a:b',
      'a?',
      'a*',
      'a[',
      'a\\b',
      '@',
      'a@{b',
      'HEAD',
      'refs/heads/a',
      'a.',
      'a\u0007',
    ].map(
      branch =>
        [
          `the branch name ${JSON.stringify(branch)}`,
          { prompt: 'x', branch },
          'branch is not a valid git branch name.',
          'branch',
        ] satisfies [string, unknown, string, string],
    ),
  ])('refuses %s', async (_name, body, sentence, path) => {
    const before = await api.pool.query('select count(*) from jobs');
    const response = await api.call('POST', `${api.base}/job`, { body });
    expect(response.statusCode).toBe(400);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.json()).toEqual({
      type: 'urn:docent:problem:invalid-request',
      title: 'Invalid request',
      status: 400,
      detail: sentence,
      error: sentence,
      instance: `urn:docent:request:${String(response.headers['x-request-id'])}`,
      errors: [{ path, message: expect.any(String) }],
    });
    expect((await api.pool.query('select count(*) from jobs')).rows).toEqual(before.rows);
  });

  it('refuses a branch that another open job holds, and a protected one', async () => {
    await api.createJob('one', { branch: 'feature/held' });
    const response = await api.call('POST', `${api.base}/job`, {
      body: { prompt: 'two', branch: 'feature/held' },
    });
    expect(response.statusCode).toBe(409);
    await api.pool.query(
      `insert into local_repositories (name, protected) values ('acme-docs', '{release}')`,
    );
    expect(
      (await api.call('POST', `${api.base}/job`, { body: { prompt: 'two', branch: 'release' } }))
        .statusCode,
    ).toBe(400);
  });

  it('lets a branch go whose job rests without an open pull request', async () => {
    const first = await api.createJob('one', { branch: 'feature/free' });
    await api.restJob(first.id);
    await api.createJob('two', { branch: 'feature/free' });
    const reopened = await api.call('POST', `${api.base}/job/${first.id}/message`, {
      body: { prompt: 'more' },
    });
    expect(reopened.statusCode).toBe(409);
    expect((await api.jobRow(first.id)).state).toBe('completed');
  });

  it('keeps a branch held while its pull request is open', async () => {
    const first = await api.createJob('one', { branch: 'feature/open' });
    await api.restJob(first.id);
    await api.pool.query(
      `insert into local_repositories (name) values ('acme-docs') on conflict do nothing`,
    );
    await api.pool.query(
      `insert into local_pull_requests (repository, number, token, title, body, head, base, head_commit, base_commit, job_id)
       values ('acme-docs', 1, 'token', 't', 'b', 'feature/open', 'main', 'c1', 'c0', $1)`,
      [first.id],
    );
    expect(
      (
        await api.call('POST', `${api.base}/job`, {
          body: { prompt: 'two', branch: 'feature/open' },
        })
      ).statusCode,
    ).toBe(409);
    await api.pool.query(`update local_pull_requests set state = 'merged'`);
    await api.createJob('two', { branch: 'feature/open' });
  });
});

describe('Idempotency-Key', () => {
  const post = (key: string, body: unknown, url = `${api.base}/job`) =>
    api.call('POST', url, { body, headers: { 'idempotency-key': key } });

  it('gives one job to parallel and later repeats', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => post('parallel', { prompt: 'once' })),
    );
    const made = responses.filter(({ statusCode }) => statusCode === 201);
    expect(made.length).toBeGreaterThanOrEqual(1);
    for (const { statusCode } of responses) expect([201, 409]).toContain(statusCode);
    const later = await post('parallel', { prompt: 'once' });
    expect(later.statusCode).toBe(201);
    expect(new Set([...made, later].map(response => response.json().id)).size).toBe(1);
    expect(
      (await api.pool.query(`select count(*) from jobs where prompt = 'once'`)).rows[0].count,
    ).toBe(1);
  });

  it('answers 422 for another body, and keeps keys of projects, routes and callers apart', async () => {
    const first = (await post('reused', { prompt: 'a' })).json();
    const other = await post('reused', { prompt: 'b' });
    expect(other.statusCode).toBe(422);
    expect(
      (await post('reused', { prompt: 'b' }, `${api.base}/job/${first.id}/message`)).statusCode,
    ).toBe(200);
    const stranger = await api.call('POST', `/v2/agent/${api.stranger.project.id}/job`, {
      key: api.stranger.adminKey,
      body: { prompt: 'b' },
      headers: { 'idempotency-key': 'reused' },
    });
    expect(stranger.statusCode).toBe(201);
  });

  it('answers 409 while the first request is under way, and the job once its process must be dead', async () => {
    const { id } = (await post('slow', { prompt: 'slow' })).json();
    await api.pool.query(`update idempotency_keys set completed_at = null where key = 'slow'`);
    const response = await post('slow', { prompt: 'slow' });
    expect(response.statusCode).toBe(409);
    expect(response.headers['retry-after']).toBe('1');
    await api.pool.query(
      `update idempotency_keys set created_at = now() - interval '61 seconds' where key = 'slow'`,
    );
    expect((await post('slow', { prompt: 'slow' })).json().id).toBe(id);
  });

  it('takes a key over as soon as the process that has it is gone', async () => {
    const { id } = (await post('killed', { prompt: 'killed' })).json();
    const {
      rows: [other],
    } = await api.pool.query<{ number: number }>(
      `update idempotency_keys set completed_at = null, holder = holder - 1,
              created_at = now() - interval '5 seconds'
        where key = 'killed' returning holder as number`,
    );
    // What the other process holds while it lives.
    const process = await api.pool.connect();
    await process.query('select pg_advisory_lock_shared(736362, $1)', [other!.number]);
    expect((await post('killed', { prompt: 'killed' })).statusCode).toBe(409);
    process.release(true);
    await until('the key is free', async () => {
      const response = await post('killed', { prompt: 'killed' });
      return response.statusCode === 201 && response.json().id === id;
    });
  });

  it('stores nothing for a refused request', async () => {
    expect((await post('refused', { prompt: 'x', branch: 'main' })).statusCode).toBe(400);
    expect((await post('refused', { prompt: 'y' })).statusCode).toBe(201);
  });

  it('must be printable', async () => {
    const spaced = await post('has space', { prompt: 'x' });
    expect(spaced.statusCode).toBe(400);
    expect(spaced.json().error).toBe(
      'idempotency-key must be a string of 1 to 255 characters, printable ASCII without spaces.',
    );
    expect((await post('x'.repeat(256), { prompt: 'x' })).statusCode).toBe(400);
  });

  it('sends a message once', async () => {
    const { id } = await api.createJob();
    const url = `${api.base}/job/${id}/message`;
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => post('message', { prompt: 'again' }, url)),
    );
    for (const { statusCode } of responses) expect([200, 409]).toContain(statusCode);
    expect((await post('message', { prompt: 'again' }, url)).statusCode).toBe(200);
    expect(
      (await api.pool.query('select count(*) from instructions where job_id = $1', [id])).rows[0]
        .count,
    ).toBe(2);
  });
});

describe('when Temporal forgets or refuses', () => {
  it('a start that cannot be made leaves no job behind and answers 503; a repeat makes one', async () => {
    const start = api.temporal.workflow.start;
    const { ServiceError } = await import('@temporalio/client');
    api.temporal.workflow.start = () =>
      Promise.reject(
        new ServiceError('away', {
          cause: Object.assign(new Error('14 UNAVAILABLE'), {
            code: 14,
            details: 'away',
            metadata: {},
          }),
        }),
      );
    const headers = { 'idempotency-key': 'unlucky' };
    try {
      const response = await api.call('POST', `${api.base}/job`, {
        body: { prompt: 'unlucky', branch: 'feature/unlucky' },
        headers,
      });
      expect(response.statusCode).toBe(503);
      expect(response.headers['retry-after']).toBe('5');
    } finally {
      api.temporal.workflow.start = start;
    }
    const { rows } = await api.pool.query(`select id, state from jobs where prompt = 'unlucky'`);
    expect(rows).toEqual([{ id: expect.any(String), state: 'given_up' }]);
    expect((await api.call('GET', `${api.base}/job/${rows[0].id}`)).statusCode).toBe(404);
    await expect(api.temporal.workflow.getHandle(rows[0].id).describe()).rejects.toThrow(
      WorkflowNotFoundError,
    );
    const repeat = await api.call('POST', `${api.base}/job`, {
      body: { prompt: 'unlucky', branch: 'feature/unlucky' },
      headers,
    });
    expect(repeat.statusCode).toBe(201);
    expect(repeat.json().id).not.toBe(rows[0].id);
  });
});
