import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = api.app.server.address() as AddressInfo);
});
afterAll(() => api.close());

const keepAlive = new Agent({ keepAlive: true, maxSockets: 1 });
const ask = (path: string, agent: Agent | false) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${api.tenant.adminKey}` };
    get({ host: '127.0.0.1', port, path, agent, headers }, answer => {
      answer.resume().once('end', () => resolve(answer));
    }).once('error', reject);
  });

it('an API that is stopped says so first, answers what still comes, and ends each connection', async () => {
  const before = await ask('/readyz', keepAlive);
  expect([before.statusCode, before.headers.connection]).toEqual([200, 'keep-alive']);
  api.app.drain();
  const ready = await ask('/readyz', keepAlive);
  expect([ready.statusCode, ready.headers.connection]).toEqual([503, 'close']);
  for (const agent of [keepAlive, false] as const) {
    const jobs = await ask(`${api.base}/jobs`, agent);
    expect([jobs.statusCode, jobs.headers.connection]).toEqual([200, 'close']);
  }
  expect((await ask('/healthz', false)).statusCode).toBe(200);
  await api.app.close();
  await expect(ask('/healthz', false)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
