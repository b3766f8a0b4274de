import { jest } from '@jest/globals';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const sweep = () =>
  sweepJobs({ config: api.config, pool: api.pool, temporal: api.temporal, log: api.app.log });
const age = (id: string) =>
  api.pool.query(`update jobs set updated_at = now() - interval '2 minutes' where id = $1`, [id]);

async function create(
  headers: Record<string, string> = {},
  branch = `feature/${Math.random()}`,
): Promise<string> {
  const response = await api.call('POST', `${api.base}/job`, {
    body: { prompt: 'x', branch },
    headers,
  });
  expect(response.statusCode).toBe(201);
  return response.json().id;
}

it('gives up a row that never got a workflow, and frees its key and branch', async () => {
  const start = api.temporal.workflow.start;
  api.temporal.workflow.start = async () => ({}) as never; // the process dies before Temporal hears of the job
  const id = await create({ 'idempotency-key': 'k' }, 'feature/lost');
  api.temporal.workflow.start = start;
  await sweep();
  expect((await api.jobRow(id)).state).toBe('starting'); // too young: it may be under way
  await age(id);
  await sweep();
  expect((await api.jobRow(id)).state).toBe('given_up');
  expect(await create({ 'idempotency-key': 'k' }, 'feature/lost')).not.toBe(id);
});

it('leaves a job alone whose workflow runs', async () => {
  const id = await create();
  await age(id);
  const before = await api.jobRow(id);
  await sweep();
  expect(await api.jobRow(id)).toEqual(before);
});

it('fails and archives an active job whose workflow was terminated, with an event, and drops what waits', async () => {
  const id = await create({}, 'feature/terminated');
  await api.pool.query(`update jobs set state = 'active' where id = $1`, [id]);
  await api.temporal.workflow.getHandle(id).terminate();
  await age(id);
  await sweep();
  expect(await api.jobRow(id)).toMatchObject({
    state: 'failed',
    halt_reason: 'error',
    message_to_user: 'The job’s workflow was ended from outside.',
    archived_at: expect.any(Date),
  });
  const { rows } = await api.pool.query(
    'select seq, type, data from job_events where job_id = $1',
    [id],
  );
  expect(rows).toEqual([
    { seq: 1, type: 'finish', data: expect.objectContaining({ status: 'failed' }) },
  ]);
  expect(
    (await api.pool.query('select state from instructions where job_id = $1', [id])).rows,
  ).toEqual([{ state: 'dropped' }]);
  await create({}, 'feature/terminated');
});

it('archives a resting job whose workflow was ended, and keeps its status', async () => {
  const id = await create();
  await api.pool.query(`update jobs set state = 'completed' where id = $1`, [id]);
  await api.temporal.workflow.getHandle(id).terminate();
  for (let i = 0; i < 40 && !(await api.jobRow(id)).archived_at; i++) {
    await sweep(); // Temporal's list of closed workflows lags behind
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  expect(await api.jobRow(id)).toMatchObject({ state: 'completed', archived_at: expect.any(Date) });
});

it('forgets old idempotency keys', async () => {
  await create({ 'idempotency-key': 'old' });
  await api.pool.query(
    `update idempotency_keys set created_at = now() - interval '49 hours' where key = 'old'`,
  );
  await sweep();
  expect((await api.pool.query(`select 1 from idempotency_keys where key = 'old'`)).rowCount).toBe(
    0,
  );
});

it('removes what may go though one job cannot be removed', async () => {
  const [stuck, other] = [await create(), await create()];
  await api.pool.query(
    `update jobs set state = 'completed', archived_at = now() - interval '2 days' where id = any($1)`,
    [[stuck, other]],
  );
  await api.pool.query(
    "create function keep() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$",
  );
  await api.pool.query(
    `create trigger kept before delete on jobs for each row when (old.id = '${stuck}') execute function keep()`,
  );
  const warn = jest.spyOn(api.app.log, 'warn');
  await sweepJobs({
    config: { ...api.config, JOB_RETENTION_DAYS: 1 },
    pool: api.pool,
    temporal: api.temporal,
    log: api.app.log,
  });
  expect([await api.jobRow(stuck), await api.jobRow(other)]).toEqual([
    expect.objectContaining({ id: stuck }),
    undefined,
  ]);
  expect(warn).toHaveBeenCalledWith(
    { jobId: stuck, err: expect.objectContaining({ message: 'not this one' }) },
    expect.any(String),
  );
  await api.pool.query('drop trigger kept on jobs');
});

it('does not sweep twice at a time', async () => {
  const id = await create();
  await age(id);
  const lock = await api.pool.connect();
  await lock.query('select pg_advisory_lock(7363624202)');
  await api.temporal.workflow.getHandle(id).terminate();
  await sweep();
  expect((await api.jobRow(id)).archived_at).toBeNull();
  await lock.query('select pg_advisory_unlock(7363624202)');
  lock.release();
  await sweep();
  expect((await api.jobRow(id)).archived_at).not.toBeNull();
});

it('goes on with the next job, and with retention, when one cannot be settled', async () => {
  const [bad, lost] = [await create(), await create()];
  await api.pool.query(`update jobs set state = 'active' where id = any($1)`, [[bad, lost]]);
  await api.temporal.workflow.getHandle(bad).terminate();
  await api.temporal.workflow.getHandle(lost).terminate();
  await api.pool.query(`update jobs set updated_at = now() - interval '1 year' where id = $1`, [
    bad,
  ]);
  await age(lost);
  await api.pool.query(
    `create function refuse() returns trigger language plpgsql as
       $$ begin if old.id = '${bad}' then raise 'a bad row'; end if; return new; end $$;
     create trigger refuse before update on jobs for each row execute function refuse()`,
  );
  await api.pool.query(
    `insert into idempotency_keys (organization_id, api_key_id, route, key, body_hash, created_at)
     select id, 'key_x', 'create x', 'old', '', now() - interval '1 year' from organizations limit 1`,
  );
  try {
    await sweep();
    expect((await api.jobRow(bad)).state).toBe('active');
    expect((await api.jobRow(lost)).state).toBe('failed');
    const { rows } = await api.pool.query(`select from idempotency_keys where key = 'old'`);
    expect(rows).toEqual([]);
  } finally {
    await api.pool.query('drop trigger refuse on jobs');
  }
});
