import { gitHubWebhook } from '../../hosts/github/webhook.ts';
import { finishDeliveries } from '../../api/webhook/deliveries.ts';
import { startApi, type TestApi } from './harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('a delivery that nobody could finish within a day is given up, with one line in the log and without its text', async () => {
  const news = { kind: 'said', text: 'Something private.' };
  const received = (id: string, hours: number, what: object | null) =>
    api.pool.query(
      'insert into github_deliveries (id, news, received_at, tried_at) values ($1, $2, now() - make_interval(hours => $3), now())',
      [id, what, hours],
    );
  await Promise.all([
    received('undone', 25, news),
    received('done', 25, null),
    received('young', 23, news),
  ]);
  const lines: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (...line: unknown[]) => lines.push(line),
  } as never;
  const look = () =>
    finishDeliveries(
      {
        ...api,
        feed: undefined as never,
        host: 'github',
        webhook: gitHubWebhook,
        questions: undefined,
      },
      log,
    );
  await Promise.all([look(), look()]);
  await look();
  expect(lines).toEqual([
    [{ delivery: 'undone', event: 'said' }, 'a delivery is given up after a day'],
  ]);
  expect((await api.pool.query('select id, news from github_deliveries order by id')).rows).toEqual(
    [
      { id: 'done', news: null },
      { id: 'young', news },
    ],
  );
});
