import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { EndpointBody, DeliveryBody } from '../../shared/webhooks/schemas.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { passTime, passWait, type Receiver, settled, startReceiver } from './webhook-receiver.ts';

const ASK: ScriptedReply = { toolUses: [{ name: 'ask', input: { question: 'Which one?' } }] };
const FAIL: ScriptedReply = { status: 400, errorType: 'invalid_request_error' };
const EVERY = [
  'job.completed',
  'job.failed',
  'job.waiting',
  'pull_request.opened',
  'pull_request.merged',
  'question.unanswered',
  'automation.run',
];

interface Made {
  webhook: EndpointBody;
  secret: string;
}

let stack: JobStack;
let script: ScriptedReply[] = [];
const receivers: Receiver[] = [];
beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
    script: () => script.shift() ?? { text: 'Nothing more.' },
    env: {
      ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
      ENCRYPTION_KEY: 'a key of the tests, of more than 32 characters',
    },
  });
}, 60_000);
afterAll(async () => {
  await stack?.close();
  await Promise.all(receivers.map(receiver => receiver.close()));
});
afterEach(async () => {
  await stack.pool.query('delete from webhook_endpoints');
});

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await stack.call(method, `/v1/webhooks${path}`, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

/** A receiver with its webhook. */
async function hooked(events = EVERY): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const made = await call<Made>('POST', '', { url: receiver.url, events });
  receiver.trust(made.secret);
  return { receiver, id: made.webhook.id };
}

async function job(...replies: ScriptedReply[]): Promise<string> {
  script = [...replies];
  const { id } = await stack.create('Say second');
  await stack.rest(id);
  return id;
}

const deliveries = async (id: string) =>
  (await call<{ deliveries: DeliveryBody[] }>('GET', `/${id}/deliveries`)).deliveries;
const endpoint = async (id: string) =>
  (await call<{ webhooks: EndpointBody[] }>('GET', '')).webhooks.find(each => each.id === id)!;
const test = async (id: string) => (await call<{ id: string }>('POST', `/${id}/test`, {})).id;
const arrived = (receiver: Receiver, types: string[]) =>
  until(
    types.join(', '),
    () =>
      [...receiver.known.values()]
        .map(({ type }) => type)
        .toSorted()
        .join() === types.toSorted().join(),
  );

it('tells of jobs, of what they wait for, and of their pull requests', async () => {
  const { receiver } = await hooked();
  const published = await job(EDIT, FINISH);
  await arrived(receiver, ['job.completed', 'pull_request.opened']);
  const failed = await job(FAIL);
  const asks = await job(ASK);
  await stack.call('POST', `/git/docs/pulls/1/merge`, undefined, {
    authorization: `Bearer ${stack.config.LOCAL_HOST_TOKEN}`,
  });
  const types = [
    'job.completed',
    'pull_request.opened',
    'job.failed',
    'job.waiting',
    'pull_request.merged',
  ];
  await arrived(receiver, types);
  const projectId = stack.project.id;
  const { prLink } = await stack.job(published);
  const byType = Object.fromEntries(
    [...receiver.known.values()].map(({ type, data }) => [type, data]),
  );
  expect(byType).toEqual({
    'pull_request.opened': { id: published, projectId, number: 1, prLink },
    'pull_request.merged': { id: published, projectId, number: 1, prLink },
    'job.completed': { id: published, projectId, status: 'completed', result: 'published', prLink },
    'job.failed': { id: failed, projectId, status: 'failed', result: 'failed', prLink: null },
    'job.waiting': { id: asks, projectId, waitingFor: 'answer', reminder: false, prLink: null },
  });
  expect(receiver.attempts).toHaveLength(types.length);
  expect(receiver.forged()).toBe(0);
}, 120_000);

it('tells only what was asked for, of the organization and the project', async () => {
  const { receiver } = await hooked(['job.failed']);
  await stack.pool.query(`update webhook_endpoints set project_id = $1 where url = $2`, [
    stack.project.id,
    receiver.url,
  ]);
  await job(EDIT, FINISH);
  await job(FAIL);
  await arrived(receiver, ['job.failed']);
  await settled(stack.pool);
  expect(receiver.attempts).toHaveLength(1);
}, 120_000);

it('tells of unanswered questions once per day, without their words', async () => {
  const { receiver } = await hooked(['question.unanswered']);
  await stack.pool.query(`update webhook_endpoints set created_at = now() - interval '2 days'`);
  await stack.pool.query(
    `insert into questions (id, project_id, question, answered, created_at)
     select 'q_' || n, $1, 'Why?', n = 3, date_trunc('day', now()) - interval '1 hour'
       from generate_series(1, 3) n`,
    [stack.project.id],
  );
  for (let starts = 0; starts < 2; starts += 1) await (await stack.killApi())();
  await arrived(receiver, ['question.unanswered']);
  const data = [...receiver.known.values()][0]?.data;
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  expect(data).toEqual({ projectId: stack.project.id, day, questions: 2 });
}, 60_000);

it('goes on after a day on which the receiver was down: each event once by its id', async () => {
  const { receiver, id } = await hooked(['job.completed', 'job.failed']);
  receiver.answer = () => ({ status: 500 });
  const jobs = [await job(EDIT, FINISH), await job(FAIL)];
  // Two attempts at once, then after 5 minutes, 30 minutes, 2, 5 and 10 hours.
  for (let waits = 0; waits < 5; waits += 1) {
    await settled(stack.pool);
    await passWait(stack.pool);
  }
  await settled(stack.pool);
  expect(receiver.known.size).toBe(0);
  expect(await endpoint(id)).toMatchObject({ state: 'active', failingSince: expect.any(String) });
  receiver.answer = () => ({ status: 200 });
  await passWait(stack.pool);
  await arrived(receiver, ['job.completed', 'job.failed']);
  // Each with the same id and bytes in each attempt, and a time and signature of its own.
  for (const { id: event, body } of receiver.known.values()) {
    const attempts = receiver.attempts.filter(each => each.id === event);
    expect(attempts).toHaveLength(8);
    expect(new Set(attempts.map(each => each.body))).toEqual(new Set([body]));
  }
  expect([...receiver.known.values()].map(({ data }) => data['id'])).toEqual(
    expect.arrayContaining(jobs),
  );
  await settled(stack.pool);
  expect(await endpoint(id)).toMatchObject({ failingSince: null });
}, 180_000);

it('gives up a delivery after the tenth attempt, and a webhook after five days', async () => {
  const { receiver, id } = await hooked();
  receiver.answer = () => ({ status: 503 });
  await test(id);
  for (let waits = 0; waits < 8; waits += 1) {
    await settled(stack.pool);
    await passWait(stack.pool);
  }
  await settled(stack.pool);
  expect(await deliveries(id)).toMatchObject([{ state: 'failed', attempts: 10, answer: '503' }]);
  expect(await endpoint(id)).toMatchObject({ state: 'active' });
  await passTime(stack.pool, '2 days');
  await test(id);
  await until('it is disabled', async () => (await endpoint(id)).state === 'disabled');
  expect(await endpoint(id)).toMatchObject({
    note: 'Every attempt of 5 days failed. The last: 503.',
  });
  const { rows } = await stack.pool.query(
    `select subject_name, actor_kind from audit_log where action = 'webhook.disabled'`,
  );
  expect(rows).toEqual([{ subject_name: new URL(receiver.url).origin, actor_kind: 'operator' }]);
  const before = receiver.attempts.length;
  await job(FAIL);
  expect(await stack.call('POST', `/v1/webhooks/${id}/test`, {})).toMatchObject({ status: 409 });
  expect(receiver.attempts).toHaveLength(before);
  receiver.answer = () => ({ status: 204 });
  await call('PATCH', `/${id}`, { enabled: true });
  expect(await call('POST', `/${id}/resend`, {})).toEqual({ deliveries: 1 });
  await arrived(receiver, ['webhook.test', 'webhook.test']);
}, 120_000);

it('disables a webhook that answers 410 at once', async () => {
  const { receiver, id } = await hooked();
  receiver.answer = () => ({ status: 410 });
  await test(id);
  await until('it is disabled', async () => (await endpoint(id)).state === 'disabled');
  expect(await endpoint(id)).toMatchObject({ note: 'It answered 410 Gone.' });
  expect(await deliveries(id)).toMatchObject([{ state: 'failed', attempts: 1, answer: '410' }]);
}, 60_000);

it('waits for as long as it is asked to, one day at most', async () => {
  const { receiver, id } = await hooked();
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '600' } });
  await test(id);
  await until('it is refused', () => receiver.attempts.length === 1);
  await settled(stack.pool);
  const waits = async () => {
    const [{ dueAt, attemptedAt }] = (await deliveries(id)) as [DeliveryBody];
    return (Date.parse(dueAt!) - Date.parse(attemptedAt!)) / 1000;
  };
  expect(await waits()).toBeGreaterThanOrEqual(600);
  expect(await waits()).toBeLessThan(730);
  receiver.answer = () => ({
    status: 503,
    headers: { 'retry-after': new Date(Date.now() + 30 * 86_400_000).toUTCString() },
  });
  await passTime(stack.pool, '13 minutes');
  await until('it is refused again', () => receiver.attempts.length === 2);
  await settled(stack.pool);
  expect(await waits()).toBeGreaterThanOrEqual(86_000);
  expect(await waits()).toBeLessThan(86_400 * 1.21);
}, 60_000);

it('follows no redirect, waits 20 seconds, and enters no network that is not allowed', async () => {
  const { receiver, id } = await hooked();
  const elsewhere = await hooked(['job.failed']);
  receiver.answer = () => ({ status: 307, headers: { location: elsewhere.receiver.url } });
  await test(id);
  await until('it redirects', async () => (await deliveries(id))[0]?.answer === '307');
  expect(elsewhere.receiver.attempts).toEqual([]);
  receiver.answer = () => ({ status: 204, afterMs: 25_000 });
  await passTime(stack.pool, '6 seconds');
  // A slow one keeps no other waiting.
  await until('it is slow', () => receiver.attempts.length === 2);
  await test(elsewhere.id);
  await until('the other one', () => elsewhere.receiver.known.size === 1, 10_000);
  await until(
    'it is too slow',
    async () => (await deliveries(id))[0]?.answer === 'no answer within 20 seconds',
  );
  const made = await call<Made>('POST', '', { url: 'http://127.0.0.2:1/', events: EVERY });
  await test(made.webhook.id);
  await until('it is refused', async () => (await deliveries(made.webhook.id))[0]?.answer !== null);
  expect((await deliveries(made.webhook.id))[0]?.answer).toBe(
    'the address names a host in a private network',
  );
  // Without TLS only into the networks that are allowed.
  const open = await call<Made>('POST', '', { url: 'http://1.1.1.1/', events: EVERY });
  await test(open.webhook.id);
  await until('it is refused', async () => (await deliveries(open.webhook.id))[0]?.answer !== null);
  expect((await deliveries(open.webhook.id))[0]?.answer).toMatch(/^the address /);
}, 90_000);

it('keeps none waiting behind the slow ones of others, however much these are sent', async () => {
  let connections = 0;
  const silent = createServer(() => (connections += 1)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  await stack.pool.query(
    `insert into organizations (id, name, slug) values ('org_slow', 'Slow', 'slow')`,
  );
  for (let made = 0; made < 40; made += 1) {
    await stack.pool.query(`update webhook_endpoints set organization_id = 'org_slow'`);
    const { webhook } = await call<Made>('POST', '', { url, events: EVERY });
    await test(webhook.id);
  }
  await stack.pool.query(
    `insert into webhook_deliveries (endpoint_id, event_id, type, body)
     select endpoint_id, event_id || '_' || n, type, body
       from webhook_deliveries, generate_series(1, 14) n`,
  );
  await until('all places are taken', () => connections >= 32);
  const { receiver, id } = await hooked();
  await test(id);
  await until('it is delivered', () => receiver.known.size === 1, 45_000);
  expect((await deliveries(id))[0]).toMatchObject({ attempts: 1 });
  silent.close();
}, 90_000);

it('counts no attempt where it cannot read the secret itself', async () => {
  const { receiver, id } = await hooked();
  await stack.pool.query(`update webhook_endpoints set secret = '\\x00' where id = $1`, [id]);
  await test(id);
  await until('it says why', async () => (await deliveries(id))[0]?.answer !== null);
  expect((await deliveries(id))[0]).toMatchObject({
    ...{ state: 'pending', attempts: 0, answer: expect.stringContaining('ENCRYPTION_KEY') },
  });
  expect(await endpoint(id)).toMatchObject({ state: 'active', failingSince: null });
  expect(receiver.attempts).toEqual([]);
});

it('signs with both secrets while both are valid', async () => {
  const { receiver, id } = await hooked();
  const rotated = await call<Made>('POST', `/${id}/rotate`, { graceHours: 24 });
  await test(id);
  await arrived(receiver, ['webhook.test']); // with the old one
  expect(receiver.attempts[0]!.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  receiver.trust(rotated.secret);
  await test(id);
  await arrived(receiver, ['webhook.test', 'webhook.test']);
  await passTime(stack.pool, '25 hours');
  await test(id);
  await until('three', () => receiver.known.size === 3);
  expect(receiver.attempts.at(-1)!.headers['webhook-signature']).toMatch(/^v1,\S+$/);
  expect(receiver.forged()).toBe(0);
  await call('POST', `/${id}/rotate`, { graceHours: 0 });
  await test(id);
  await until('the old one is refused', () => receiver.forged() === 1);
  const { rows } = await stack.pool.query(
    `select encode(secret, 'escape') as secret from webhook_endpoints`,
  );
  expect(JSON.stringify(rows)).not.toContain('whsec_');
}, 60_000);

it('signs with each of the secrets that a further rotation found valid', async () => {
  const { receiver, id } = await hooked(); // it knows the first one
  for (const graceHours of [24, 1]) await call('POST', `/${id}/rotate`, { graceHours });
  await passTime(stack.pool, '2 hours');
  await test(id);
  await arrived(receiver, ['webhook.test']);
  expect(receiver.attempts[0]!.headers['webhook-signature']).toMatch(/^(v1,\S+ ){2}v1,\S+$/);
  expect(receiver.forged()).toBe(0);
}, 60_000);

it('loses nothing and forges nothing while senders are killed', async () => {
  const { receiver, id } = await hooked();
  receiver.answer = () => ({ status: 204, afterMs: 1_500 });
  const sent: string[] = [];
  for (let n = 0; n < 12; n += 1) sent.push(await test(id));
  for (let kills = 0; kills < 3; kills += 1) {
    const attempts = receiver.attempts.length;
    await until('an attempt runs', () => receiver.attempts.length > attempts);
    await (
      await stack.killApi()
    )();
    await passTime(stack.pool, '61 seconds');
  }
  await until('all have arrived', () => receiver.known.size === sent.length, 60_000);
  expect([...receiver.known.keys()].toSorted()).toEqual(sent.toSorted());
}, 120_000);
