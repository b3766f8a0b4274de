import { jest } from '@jest/globals';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** A job whose creator died between its row and its workflow. */
async function createUnstarted(key: string): Promise<string> {
  const start = jest
    .spyOn(api.temporal.workflow, 'start')
    .mockReturnValueOnce(new Promise(() => undefined));
  void api.call('POST', `${api.base}/job`, {
    body: { prompt: 'x' },
    headers: { 'idempotency-key': key },
  });
  while (start.mock.calls.length === 0) await new Promise(resolve => setTimeout(resolve, 10));
  start.mockRestore();
  const {
    rows: [job],
  } = await api.pool.query<{ id: string }>(
    'select job_id as id from idempotency_keys where key = $1',
    [key],
  );
  return job!.id;
}

const isRunning = async (id: string) =>
  (await api.temporal.workflow.getHandle(id).describe()).status.name === 'RUNNING';

it('starts the job for a repeat of its request, which is told of no job that the next sweep takes back', async () => {
  const id = await createUnstarted('died');
  const repeat = () =>
    api.call('POST', `${api.base}/job`, {
      body: { prompt: 'x' },
      headers: { 'idempotency-key': 'died' },
    });
  expect((await repeat()).statusCode).toBe(409);
  await api.pool.query(
    `update idempotency_keys set created_at = now() - interval '61 seconds' where key = 'died'`,
  );
  const response = await repeat();
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({ id, status: 'active' });
  expect(await isRunning(id)).toBe(true);
});

it.each([
  ['message', { prompt: 'more' }],
  ['cancel', undefined],
])('answers 503 to a %s and leaves the row to its start', async (verb, body) => {
  const id = await createUnstarted(`early-${verb}`);
  const response = await api.call('POST', `${api.base}/job/${id}/${verb}`, {
    ...(body && { body }),
  });
  expect(response.statusCode).toBe(503);
  expect(response.headers['retry-after']).toBe('1');
  const {
    rows: [job],
  } = await api.pool.query('select state, archived_at from jobs where id = $1', [id]);
  expect(job).toEqual({ state: 'starting', archived_at: null });
  const { rows } = await api.pool.query(
    `select 1 from instructions where job_id = $1 and state = 'waiting'`,
    [id],
  );
  expect(rows).toHaveLength(1);
});
