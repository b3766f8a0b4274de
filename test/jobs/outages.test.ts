import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { freePort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { startTemporal } from '../../cli/embedded/temporal.ts';
import { migrate } from '../../db/migrate.ts';
import { openPool } from '../../db/pool.ts';
import { createLogger } from '../../shared/logger.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, held } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';
import { slowly } from '../support/slow.ts';

const HOST = '127.0.0.1';

describe('Temporal or Postgres, away and back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'docent-outage-'));
  let startServer: () => ReturnType<typeof startTemporal>;
  let startDatabase: () => ReturnType<typeof startPostgres>;
  let temporal: Awaited<ReturnType<typeof startTemporal>>;
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let stack: JobStack;
  let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
  let played = 0;

  beforeAll(async () => {
    chmodSync(folder, 0o711);
    const [port, uiPort, databasePort] = [
      await freePort(HOST),
      await freePort(HOST),
      await freePort(HOST),
    ];
    startServer = () =>
      startTemporal({
        cliPath: testTemporal().cliPath,
        databaseFile: join(folder, 'temporal.db'),
        logFile: join(folder, 'temporal.log'),
        host: HOST,
        port,
        uiPort,
      });
    startDatabase = () =>
      startPostgres({
        folder: join(folder, 'postgres'),
        logFile: join(folder, 'postgres.log'),
        host: HOST,
        port: databasePort,
        durable: true,
      });
    [temporal, postgres] = await Promise.all([startServer(), startDatabase()]);
    const pool = openPool({ connectionString: postgres.url });
    await migrate(pool);
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? { text: 'Nothing to do.' },
      temporalAddress: temporal.address,
      database: { url: postgres.url, pool, close: () => pool.end() },
    });
  }, 120_000);
  afterAll(async () => {
    await stack.close();
    await Promise.all([temporal.stop(), postgres.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);
  const play = (...replies: typeof script) => {
    script = replies;
    played = 0;
  };
  const path = (rest = '') => `/v2/agent/${stack.project.id}/job${rest}`;
  const create = (key: string) =>
    stack.call('POST', path(), { prompt: 'Say second' }, { 'idempotency-key': key });
  const jobs = async () =>
    ((await stack.call('GET', `/v2/agent/${stack.project.id}/jobs`)).body as { jobs: JobBody[] })
      .jobs;

  it('Temporal away: 503 and nothing half done; reads go on; back, the same key makes the job', async () => {
    play(EDIT, FINISH);
    const job = await stack.rest((await stack.create('Say second')).id);
    await temporal.stop();
    const refused = await create('during-the-outage');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await stack.call('POST', path(`/${job.id}/message`), { prompt: 'More' })).status).toBe(
      503,
    );
    expect((await stack.call('POST', path(`/${job.id}/rewind`), { step: 1 })).status).toBe(503);
    expect(await stack.job(job.id)).toMatchObject({ status: 'completed', prLink: job.prLink });
    expect((await jobs()).map(({ id }) => id)).toEqual([job.id]);
    expect(
      JSON.stringify((await stack.call('GET', path(`/${job.id}/messages`))).body),
    ).not.toContain('More');

    temporal = await startServer();
    play(EDIT, FINISH);
    await until('the job is made', async () => (await create('during-the-outage')).status === 201);
    const [made] = await jobs();
    expect(made?.id).not.toBe(job.id);
    expect(await stack.rest(made?.id ?? '')).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
    });
    expect(await jobs()).toHaveLength(2);
  }, 120_000);

  it('Temporal killed while a job works: the job goes on where it was', async () => {
    const last = held(FINISH);
    play(EDIT, last.reply);
    const job = await stack.create('Say second');
    await until('the model is asked to finish', () => played === 2);
    await temporal.stop();
    temporal = await startServer();
    last.release();
    expect(await stack.rest(job.id, 90_000)).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
    });
    const {
      rows: [sums],
    } = await stack.pool.query<{ pulls: number; ok: number }>(
      "select (select count(*) from local_pull_requests where job_id = $1) as pulls, (select count(*) from model_calls where job_id = $1 and outcome = 'ok') as ok",
      [job.id],
    );
    expect(sums?.pulls).toBe(1);
  }, 150_000);

  slowly(
    'a start that nobody can tell the end of: the job is given up, and the workflow that begins later ends itself',
    async () => {
      const pid = Number(readFileSync(join(folder, 'temporal.db.pid'), 'utf8'));
      const before = (await jobs()).length;
      process.kill(pid, 'SIGSTOP');
      const refused = await create('ambiguous');
      process.kill(pid, 'SIGCONT');
      expect(refused.status).toBe(503);
      const {
        rows: [row],
      } = await stack.pool.query<{ id: string }>(
        "select id from jobs where state = 'given_up' order by created_at desc limit 1",
      );
      await until('the workflow has ended', async () => {
        const { status } = await stack.temporal.workflow
          .getHandle(row?.id ?? '')
          .describe()
          .catch(() => ({ status: { name: 'NEVER' } }));
        return status.name !== 'RUNNING';
      });
      expect((await jobs()).length).toBe(before);
      await sweepJobs({
        config: stack.config,
        pool: stack.pool,
        temporal: stack.temporal,
        log: createLogger('silent'),
      });
      play(EDIT, FINISH);
      const again = await create('ambiguous');
      expect(again.status).toBe(201);
      expect(await stack.rest((again.body as JobBody).id)).toMatchObject({ status: 'completed' });
      expect((await jobs()).length).toBe(before + 1);
    },
    120_000,
  );

  it('Postgres away while a job works: 503 for callers; back, the job completes with one commit', async () => {
    const last = held(FINISH);
    play(EDIT, last.reply, FINISH);
    const job = await stack.create('Say second');
    await until('the model is asked to finish', () => played === 2);
    await postgres.stop();
    last.release();
    expect((await stack.call('GET', path(`/${job.id}`))).status).toBe(503);
    expect((await stack.call('POST', path(), { prompt: 'Say second' })).status).toBe(503);
    postgres = await startDatabase();
    const done = await stack.rest(job.id, 90_000);
    expect(done).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stack.git('rev-list', '--count', `main..${done.source.ref}`).trim()).toBe('1');
  }, 150_000);
});
