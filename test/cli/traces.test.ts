import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../cli/embedded/ports.ts';
import { traceIdOfTurn } from '../../shared/traces/tracing.ts';
import { docent, startDocent, temporaryFolder } from '../support/docent.ts';
import { type CollectedSpan, startCollector } from '../support/otlp-collector.ts';
import { testDatabase, testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

const CANARIES = ['Zanzibar', 'quixotic', 'marmalade'];

it('a job of two processes is one trace, without a word of its content', async () => {
  const [folder, db, collector] = await Promise.all([
    temporaryFolder(),
    testDatabase(),
    startCollector(),
  ]);
  const port = String(await freePort('127.0.0.1'));
  const url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: db.url,
    TEMPORAL_ADDRESS: testTemporal().address,
    TASK_QUEUE: `traces-${randomBytes(4).toString('hex')}`,
    PORT: port,
    LOCAL_HOST_URL: url,
    PUBLIC_URL: url,
    LOCAL_HOST_TOKEN: randomBytes(20).toString('hex'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    MODEL_PROVIDER: 'offline',
  };
  const data = join(folder, 'data');
  const api = startDocent(data, ['api'], env);
  const worker = startDocent(join(folder, 'worker'), ['worker'], env);
  try {
    await until(
      'the API is ready',
      async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true,
    );
    const docs = join(import.meta.dirname, '../../docs/assistant');
    const added = await docent(data, ['project', 'add', 'Ours', '--repository', docs], env);
    const project = added.stdout.split(' ')[0] as string;
    const key = (await docent(data, ['key', 'create', '--kind', 'admin'], env)).stdout.trim();
    const job = await docent(
      join(folder, 'caller'),
      ['job', 'create', `Add a page one.md titled "${CANARIES[0]}" with the text "A ${CANARIES[1]} day."`, '--wait'], // prettier-ignore
      { BASE_URL: url, ADMIN_KEY: key, PROJECT_ID: project },
    );
    expect(job.stdout).toContain('/pulls/');
    await fetch(`${url}/v2/agent/${project}/jobs?cursor=${CANARIES[2]}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    for (const each of [worker, api]) each.process.kill('SIGTERM');
    const logs = (await Promise.all([worker.ended, api.ended])).map(each => each.stdout);

    const { rows } = await db.pool.query<{ id: string }>('select id from jobs');
    const jobId = rows[0]!.id;
    const turn = collector.spans.filter(each => each.traceId === traceIdOfTurn(jobId, 1));
    expectTurn(turn, jobId);
    expectRequests(collector.spans, logs[1]!);
    const sent = collector.bodies.join('\n');
    for (const secret of [...CANARIES, key, env.LOCAL_HOST_TOKEN])
      expect(sent).not.toContain(secret);
  } finally {
    for (const each of [worker, api]) each.process.kill('SIGKILL');
    await Promise.all([worker.ended, api.ended, collector.close()]);
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);

/** Activities, their queries and model calls, and nothing that is not inside an activity. */
function expectTurn(turn: CollectedSpan[], jobId: string): void {
  const activities = turn.filter(each => each.name.startsWith('activity '));
  const names = new Set(activities.map(each => each.name));
  for (const name of ['prepare', 'callModel', 'finish', 'reportTurn'])
    expect(names).toContain(`activity ${name}`);
  for (const { attributes, parentSpanId } of activities)
    expect([attributes['gen_ai.conversation.id'], parentSpanId || undefined]).toEqual([
      jobId,
      undefined,
    ]);
  const idsOf = (name: string) =>
    activities.filter(each => each.name === name).map(each => each.spanId);
  const model = turn.filter(each => each.attributes['gen_ai.usage.input_tokens'] !== undefined);
  expect(model.length).toBe(idsOf('activity callModel').length);
  for (const each of model) expect(idsOf('activity callModel')).toContain(each.parentSpanId);
  const queries = turn.filter(each => each.attributes['db.system.name'] === 'postgresql');
  expect(queries.map(each => each.name)).toEqual(
    expect.arrayContaining(['begin', 'commit', 'with jobs']),
  );
  const ids = new Set(turn.map(each => each.spanId));
  expect(queries.filter(each => !ids.has(each.parentSpanId ?? ''))).toEqual([]);
  expect(new Set(turn.map(each => each.service))).toEqual(new Set(['docent-worker']));
}

/** A request's span has its queries, and its log line the trace. */
function expectRequests(spans: CollectedSpan[], log: string): void {
  const create = spans.find(each => /^POST \/v2\/agent\/:\w+\/jobs?$/.test(each.name));
  expect(create?.attributes).toMatchObject({ 'http.response.status_code': expect.anything() });
  const inside = spans.filter(each => each.parentSpanId === create?.spanId);
  expect(inside.map(each => each.name)).toContain('insert jobs');
  const line = log.split('\n').find(each => each.includes(create!.traceId));
  expect(JSON.parse(line!)).toMatchObject({ traceId: create!.traceId, method: 'POST' });
}
