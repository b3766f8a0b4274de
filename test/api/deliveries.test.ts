import type { HostKind } from '../../shared/host-kind.ts';
import {
  finishDelivery,
  notePullRequest,
  noteRepositoryName,
  repositoryNames,
  takeDelivery,
} from '../../db/webhook/deliveries.ts';
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
        questions: () => undefined,
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

it('what two hosts tell of repositories of one name does not mix', async () => {
  const { pool } = api;
  const [github, other] = ['github', 'third'] as unknown as [HostKind, HostKind];
  expect(await takeDelivery(pool, github, 'same-id', { kind: 'said' })).toBe(true);
  expect(await takeDelivery(pool, other, 'same-id', { kind: 'said' })).toBe(true);
  await finishDelivery(pool, github, 'same-id');
  expect(await takeDelivery(pool, github, 'same-id', { kind: 'said' })).toBe(false);
  expect(await takeDelivery(pool, other, 'same-id', { kind: 'said' })).toBe(true);

  await noteRepositoryName(pool, github, 'acme/docs', 7);
  await noteRepositoryName(pool, other, 'acme/former', 7);
  const repository = { id: 7, full_name: 'acme/Now' };
  expect((await repositoryNames(pool, github, repository)).sort()).toEqual([
    'acme/docs',
    'acme/now',
  ]);
  expect((await repositoryNames(pool, other, repository)).sort()).toEqual([
    'acme/former',
    'acme/now',
  ]);

  const news = { names: ['acme/docs'], number: 1, at: '2026-11-01T00:00:00Z' };
  await notePullRequest(pool, github, { ...news, state: 'merged' });
  await notePullRequest(pool, other, { ...news, state: 'open' });
  const { rows } = await pool.query(
    'select host, state from github_pull_requests where number = 1 order by host',
  );
  expect(rows).toEqual([
    { host: 'github', state: 'merged' },
    { host: 'third', state: 'open' },
  ]);
});
