import { type AddressInfo, connect } from 'node:net';
import { jest } from '@jest/globals';
import { JobFeed } from '../../jobs/watch/job-feed.ts';
import { until } from '../support/until.ts';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => api.close());

it.each([
  ['reads its events', '/events', ''],
  ['waits for it', '', 'Prefer: wait=60\r\n'],
])(
  'nothing is kept for a caller who has left a job and %s, a second request on the same connection among them',
  async (_name, path, header) => {
    const { id } = await api.createJob();
    const stop = jest.fn();
    const watch = JobFeed.prototype.watch;
    const watches = jest.spyOn(JobFeed.prototype, 'watch').mockImplementation(function (
      this: JobFeed,
      ...args
    ) {
      const one = watch.apply(this, args);
      return {
        ...one,
        stop: () => {
          one.stop();
          stop();
        },
      };
    });
    const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
    try {
      socket.write(
        `GET ${api.base}/job/${id}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.tenant.adminKey}\r\n${header}\r\n`.repeat(
          2,
        ),
      );
      await until('both follow the job', () => watches.mock.calls.length === 2);
      expect(stop).not.toHaveBeenCalled();
      socket.destroy();
      await until('neither does', () => stop.mock.calls.length === 2, 20_000);
    } finally {
      socket.destroy();
      watches.mockRestore();
    }
  },
);
