import { setTimeout as sleep } from 'node:timers/promises';
import { startApi, type TestApi } from './harness.ts';

const MEMBERS = ['archivedAt', 'createdAt', 'id', 'model', 'prLink', 'source', 'status'];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('message', () => {
  it('stores the instruction, signals its id, and makes a resting job active', async () => {
    const { id } = await api.createJob();
    await api.restJob(id, 'failed');
    const prompt = `Also ${'very '.repeat(100)}much`;
    const response = await api.call('POST', `${api.base}/job/${id}/message`, { body: { prompt } });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ id, status: 'active', prLink: null });
    const {
      rows: [stored],
    } = await api.pool.query(
      'select * from instructions where job_id = $1 order by seq desc limit 1',
      [id],
    );
    expect(stored).toMatchObject({ prompt, state: 'waiting', source: 'api' });
    const { events } = await api.temporal.workflow.getHandle(id).fetchHistory();
    const signal = events!.find(
      event => event.workflowExecutionSignaledEventAttributes,
    )!.workflowExecutionSignaledEventAttributes!;
    const payload = JSON.parse(Buffer.from(signal.input!.payloads![0]!.data!).toString());
    expect(payload).toMatchObject({ messageId: stored.message_id, stored: true });
    expect(payload.prompt).toHaveLength(200);
  });

  it('answers 409 once archived', async () => {
    const { id } = await api.createJob();
    await api.pool.query('update jobs set archived_at = now() where id = $1', [id]);
    const response = await api.call('POST', `${api.base}/job/${id}/message`, {
      body: { prompt: 'x' },
    });
    expect(response.statusCode).toBe(409);
    expect(response.json().error).toBe(
      'The job is archived and accepts no more messages; create a new job.',
    );
  });

  it('answers 429 with the limit’s headers when 100 wait', async () => {
    const { id } = await api.createJob();
    await api.pool.query(
      `insert into instructions (job_id, message_id, prompt, source) select $1, 'm' || i, 'x', 'signal' from generate_series(1, 99) i`,
      [id],
    );
    const response = await api.call('POST', `${api.base}/job/${id}/message`, {
      body: { prompt: 'x' },
    });
    expect(response.statusCode).toBe(429);
    expect(response.headers).toMatchObject({
      'retry-after': '10',
      ratelimit: '"waiting-instructions";r=0;t=10',
      'ratelimit-policy': '"waiting-instructions";q=100',
    });
  });

  it('settles a job whose workflow was terminated, and leaves nothing of the message', async () => {
    const { id } = await api.createJob();
    await api.restJob(id);
    await api.temporal.workflow.getHandle(id).terminate();
    expect(
      (await api.call('POST', `${api.base}/job/${id}/message`, { body: { prompt: 'x' } }))
        .statusCode,
    ).toBe(409);
    expect(await api.jobRow(id)).toMatchObject({
      state: 'completed',
      archived_at: expect.any(Date),
    });
    const { rows } = await api.pool.query(
      `select state from instructions where job_id = $1 order by seq desc limit 1`,
      [id],
    );
    expect(rows[0].state).toBe('withdrawn');
  });
});

describe('get', () => {
  it('answers from the row when no worker can be asked, within the deadline', async () => {
    const { id } = await api.createJob();
    const began = performance.now();
    const response = await api.call('GET', `${api.base}/job/${id}`);
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(response.statusCode).toBe(200);
    expect(Object.keys(response.json()).sort()).toEqual(MEMBERS);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  it('has a strong ETag, and 304 for it', async () => {
    const { id } = await api.createJob();
    await api.pool.query('update jobs set archived_at = now() where id = $1', [id]);
    const { headers } = await api.call('GET', `${api.base}/job/${id}`);
    expect(headers.etag).toMatch(/^"[\w-]{27}"$/);
    const same = await api.call('GET', `${api.base}/job/${id}`, {
      headers: { 'if-none-match': `"x", ${headers.etag as string}` },
    });
    expect(same.statusCode).toBe(304);
    expect(same.body).toBe('');
    await api.pool.query(`update jobs set ref = 'docent/x' where id = $1`, [id]);
    const changed = await api.call('GET', `${api.base}/job/${id}`, {
      headers: { 'if-none-match': headers.etag as string },
    });
    expect(changed.statusCode).toBe(200);
    expect(changed.json().source.ref).toBe('docent/x');
  });

  it('waits with Prefer until the job rests, told by NOTIFY', async () => {
    const { id } = await api.createJob();
    await api.temporal.workflow.getHandle(id).terminate(); // a closed workflow without a worker: the query fails at once
    const began = performance.now();
    const waiting = api.call('GET', `${api.base}/job/${id}`, { headers: { prefer: 'wait=30' } });
    await sleep(1_500);
    await api.pool.query(
      `with moved as (update jobs set state = 'completed', n = 5, pr_link = 'http://pr' where id = $1 returning id) select pg_notify('job_events', id) from moved`,
      [id],
    );
    const response = await waiting;
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(response.json()).toMatchObject({ status: 'completed', prLink: 'http://pr' });
    expect(response.headers['preference-applied']).toBe('wait=30');
  });

  it('gives up waiting after N seconds', async () => {
    const { id } = await api.createJob();
    const began = performance.now();
    const response = await api.call('GET', `${api.base}/job/${id}`, {
      headers: { prefer: 'respond-async, wait=2' },
    });
    expect(response.json().status).toBe('active');
    expect(performance.now() - began).toBeGreaterThan(1_900);
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('list', () => {
  it('pages through the project’s jobs, newest first, each once', async () => {
    const {
      tenant: { project },
    } = api;
    await api.pool.query(`delete from jobs where project_id = $1`, [project.id]);
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await api.createJob(`job ${i}`)).id);
    await api.restJob(ids[1]!);
    await api.pool.query(`update jobs set state = 'given_up' where id = $1`, [ids[3]]);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = (await api.call('GET', `${api.base}/jobs?limit=2${cursor}`)).json();
      seen.push(...page.jobs.map((job: { id: string }) => job.id));
      cursor = page.nextCursor && `&cursor=${page.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual([ids[0], ids[1], ids[2], ids[4]]);
    expect(
      (await api.call('GET', `${api.base}/jobs?status=completed`))
        .json()
        .jobs.map((job: { id: string }) => job.id),
    ).toEqual([ids[1]]);
    expect((await api.call('GET', `${api.base}/jobs?status=active`)).json().jobs).toHaveLength(3);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=true',
    'limit=1.5',
    'limit=',
    'status=archived',
    'cursor=%00',
    'cursor=a b',
  ])('refuses ?%s', async query => {
    expect((await api.call('GET', `${api.base}/jobs?${query}`)).statusCode).toBe(400);
  });
});

describe('cancel and archive', () => {
  it('leave a resting job as it is, and an active one is not archived', async () => {
    const { id } = await api.createJob();
    expect((await api.call('POST', `${api.base}/job/${id}/archive`)).statusCode).toBe(409);
    await api.pool.query(`update jobs set state = 'failed', archived_at = now() where id = $1`, [
      id,
    ]);
    const cancelled = await api.call('POST', `${api.base}/job/${id}/cancel`, {
      headers: { 'content-type': 'application/json' },
    });
    expect(cancelled.statusCode).toBe(200);
    expect(cancelled.json().status).toBe('failed');
    expect(
      (await api.call('POST', `${api.base}/job/${id}/archive`, { body: {} })).json().archivedAt,
    ).not.toBeNull();
  });
});
