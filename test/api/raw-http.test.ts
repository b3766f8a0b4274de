import { type RawCase, rawCases, statusOfRaw } from '../fuzz/raw-cases.ts';
import { startApi, type TestApi } from './harness.ts';

/** A request that never becomes complete ends by a time limit. */
const SLOWEST_MS = 30_000;

let api: TestApi;
let port: number;
let cases: RawCase[];
beforeAll(async () => {
  api = await startApi({ REQUEST_TIMEOUT_SECONDS: '3' });
  port = Number(new URL(await api.app.listen({ host: '127.0.0.1', port: 0 })).port);
  cases = rawCases({ admin: api.tenant.adminKey, projectId: api.tenant.project.id });
});
afterAll(() => api?.close());

it(
  'requests that no client sends get no 5xx, and an end',
  async () => {
    expect(cases.length).toBeGreaterThan(100);
    expect(new Set(cases.map(({ name }) => name)).size).toBeGreaterThan(cases.length - 5);
    const answers = await Promise.all(
      cases.map(async each => [each.name, await statusOfRaw(port, each)] as const),
    );
    expect(answers.filter(([, status]) => status !== undefined && status >= 500)).toEqual([]);
    // Most are answered, not cut off.
    expect(answers.filter(([, status]) => status === undefined).length).toBeLessThan(10);
    expect((await api.app.inject('/healthz')).statusCode).toBe(200);
    const { rows } = await api.pool.query<{ count: number }>('select count(*) from jobs');
    expect(rows[0]!.count).toBeLessThan(20);
  },
  SLOWEST_MS * 2,
);
