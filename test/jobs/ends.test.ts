import { Client } from '@temporalio/client';
import { execFileSync } from 'node:child_process';
import { createJobActivities } from '../../activities/index.ts';
import { takeOver } from '../../db/jobs/activity-results.ts';
import { buildApi } from '../../api/app.ts';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import { insertInstruction, withdrawInstruction } from '../../db/jobs/instructions.ts';
import { unarchivedJobs } from '../../db/jobs/lost-jobs.ts';
import { openPool, transaction } from '../../db/pool.ts';
import { createLogger } from '../../shared/logger.ts';
import { openDeps } from '../../worker/deps.ts';
import { createWorker } from '../../worker/worker.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, held, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';
import { SLOW } from '../support/slow.ts';

type Played = ScriptedReply | Promise<ScriptedReply>;

describe('an end that meets something else', () => {
  let stack: JobStack;
  let script: Played[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? { text: 'Nothing to do.' },
    });
  });
  afterAll(() => stack.close());
  const play = (...replies: Played[]) => {
    script = replies;
    played = 0;
  };
  const post = (job: JobBody, verb: string, body?: object) =>
    stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/${verb}`, body);
  const instructions = async (job: JobBody) =>
    (
      await stack.pool.query<{ prompt: string; state: string }>(
        'select prompt, state from instructions where job_id = $1 order by seq',
        [job.id],
      )
    ).rows;

  /** Cancels a new job while a write of it is held up: `insert on table for each row when (…)`. */
  async function cancelDuring(write: string): Promise<JobBody> {
    const holder = await stack.pool.connect();
    await holder.query(
      'create or replace function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$',
    );
    await holder.query(`create or replace trigger held before ${write} execute function wait()`);
    await holder.query('select pg_advisory_lock(1)');
    const job = await stack.create('Say second');
    let cancelled;
    try {
      await until(
        'the write is held up',
        async () =>
          (
            await stack.pool.query(
              "select 1 from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
            )
          ).rowCount === 1,
      );
      cancelled = post(job, 'cancel');
      await until(
        'the cancel is accepted',
        async () =>
          (await stack.temporal.workflow.getHandle(job.id).fetchHistory()).events?.some(
            event => event.workflowExecutionSignaledEventAttributes?.signalName === 'cancel',
          ) ?? false,
      );
    } finally {
      holder.release(true); // and with its session the lock
    }
    await cancelled;
    return stack.rest(job.id);
  }

  it('cancel during a tool: the tool’s edit is kept, nothing is published', async () => {
    play(EDIT, FINISH);
    const job = await cancelDuring(
      "insert on activity_results for each row when (new.type = 'str_replace')",
    );
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    expect(played).toBe(1);
    expect(
      (await stack.call('GET', `/v2/agent/${stack.project.id}/job/${job.id}/diff`)).body,
    ).toContain('+The second line.');
  }, 60_000);

  it('cancel during a push: too late, the pull request goes out', async () => {
    play(EDIT, FINISH);
    expect(
      await cancelDuring("insert on activity_results for each row when (new.type = 'push')"),
    ).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  }, 60_000);

  it('archive and a message at the same moment: one of them is told no, and no accepted message is lost', async () => {
    const answers: string[] = [];
    for (let round = 0; round < (SLOW ? 12 : 4); round++) {
      play({ text: 'What now?' }, { text: 'Very well.' });
      const job = await stack.rest((await stack.create('Ask')).id);
      const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
      const [archived, sent] = await Promise.all([
        wait((round % 4) * 4).then(() => post(job, 'archive')),
        wait((Math.floor(round * 1.3) % 3) * 6).then(() =>
          post(job, 'message', { prompt: 'And now this' }),
        ),
      ]);
      answers.push(`${archived.status}/${sent.status}`);
      const end = await stack.rest(job.id);
      if (sent.status === 200) {
        await until('all is taken', async () =>
          (await instructions(job)).every(({ state }) => state === 'taken'),
        );
        expect(await instructions(job)).toEqual([
          { prompt: 'Ask', state: 'taken' },
          { prompt: 'And now this', state: 'taken' },
        ]);
      } else {
        expect([sent.status, archived.status, end.archivedAt]).toEqual([
          409,
          200,
          expect.any(String),
        ]);
        expect(await instructions(job)).toEqual([{ prompt: 'Ask', state: 'taken' }]);
      }
    }
    for (const answer of answers) expect(['200/409', '409/200', '200/200']).toContain(answer);
  }, 120_000);

  it('archive that comes while a follow-up is carried out, all of it between two looks at the job: is told no at once', async () => {
    const last = held({ text: 'Very well.' });
    play({ text: 'What now?' }, last.reply);
    const job = await stack.rest((await stack.create('Ask')).id);
    const temporal = new Client({
      connection: stack.temporal.connection,
      interceptors: {
        workflow: [
          {
            async signal(input, next) {
              await stack.message(job.id, 'And now this');
              await until('the model is asked', () => played === 2);
              await next(input);
              last.release();
              await stack.rest(job.id);
            },
          },
        ],
      },
    });
    const api = await buildApi({ config: stack.config, pool: stack.pool, temporal });
    try {
      const path = `/v2/agent/${stack.project.id}/job/${job.id}/archive`;
      const { statusCode } = await api.inject({
        method: 'POST',
        url: path,
        headers: { authorization: `Bearer ${stack.adminKey}` },
      });
      expect(statusCode).toBe(409);
    } finally {
      await api.close();
    }
    expect(await stack.job(job.id)).toMatchObject({ status: 'completed', archivedAt: null });
  }, 60_000);

  it('archive by a run that has taken the job over, and has done nothing else yet: archives it', async () => {
    play({ text: 'What now?' });
    const job = await stack.rest((await stack.create('Ask')).id);
    const temporal = new Client({
      connection: stack.temporal.connection,
      interceptors: {
        workflow: [
          {
            async signal(input, next) {
              const { runId } = await stack.temporal.workflow.getHandle(job.id).describe();
              await transaction(stack.pool, tx => takeOver(tx, job.id, runId, runId));
              setTimeout(() => {
                void next(input);
              }, 500); // the API looks at the job meanwhile
            },
          },
        ],
      },
    });
    const api = await buildApi({ config: stack.config, pool: stack.pool, temporal });
    try {
      const path = `/v2/agent/${stack.project.id}/job/${job.id}/archive`;
      const answer = await api.inject({
        method: 'POST',
        url: path,
        headers: { authorization: `Bearer ${stack.adminKey}` },
      });
      expect([answer.statusCode, answer.json<JobBody>().archivedAt]).toEqual([
        200,
        expect.any(String),
      ]);
    } finally {
      await api.close();
    }
  }, 60_000);

  it('a script’s signal that meets the archiving is carried out, or refused to the script', async () => {
    for (let round = 0; round < (SLOW ? 6 : 2); round++) {
      play({ text: 'What now?' }, { text: 'Very well.' });
      const job = await stack.rest((await stack.create('Ask')).id);
      const handle = stack.temporal.workflow.getHandle(job.id);
      await handle.signal('archive');
      const accepted = await handle.signal('message', { prompt: 'From a script' }).then(
        () => true,
        () => false,
      );
      if (!accepted) continue;
      await until('the script’s message is taken', async () =>
        (await instructions(job)).some(
          ({ prompt, state }) => prompt === 'From a script' && state === 'taken',
        ),
      );
      expect(await stack.rest(job.id)).toMatchObject({ status: 'completed' });
    }
  }, 120_000);

  it('archive where a follow-up’s sender died before it could tell the job: carries it out first, without waiting for a sweep', async () => {
    play({ text: 'What now?' }, { text: 'Very well.' });
    const job = await stack.rest((await stack.create('Ask')).id);
    await transaction(stack.pool, tx =>
      insertInstruction(tx, { jobId: job.id, messageId: 'msg_untold', prompt: 'And now this' }),
    );
    await stack.pool.query(
      "update instructions set created_at = created_at - interval '1 minute' where job_id = $1 and message_id = 'msg_untold'",
      [job.id],
    );
    expect((await post(job, 'archive')).status).toBe(409);
    await until('the follow-up is taken', async () =>
      (await instructions(job)).every(({ state }) => state === 'taken'),
    );
    await stack.rest(job.id);
    expect(played).toBe(2);
    await post(job, 'archive');
    await until('the job is archived', async () => (await stack.job(job.id)).archivedAt !== null);
  }, 60_000);

  it('a workflow that is cancelled from outside with a queue: failed, archived, what waits is dropped', async () => {
    play(THINKING);
    const job = await stack.create('Wait');
    await until('the model thinks', () => played === 1);
    await stack.message(job.id, 'Next');
    await stack.temporal.workflow.getHandle(job.id).signal('message', { prompt: 'From a script' });
    await stack.temporal.workflow.getHandle(job.id).cancel();
    await until('the job is archived', async () => (await stack.job(job.id)).archivedAt !== null);
    expect(await stack.job(job.id)).toMatchObject({
      status: 'failed',
      archivedAt: expect.any(String),
    });
    expect((await instructions(job)).map(({ state }) => state)).toEqual([
      'taken',
      'dropped',
      'dropped',
    ]);
  }, 60_000);

  it('a turn’s end that saw a follow-up waiting which is then withdrawn: settled by a sweep, and no model is asked', async () => {
    const last = held(FINISH);
    play(EDIT, last.reply);
    const { id } = await stack.create('Say second');
    await until('the model is asked to finish', () => played === 2);
    await transaction(stack.pool, tx =>
      insertInstruction(tx, { jobId: id, messageId: 'msg_untold', prompt: 'More' }),
    );
    last.release();
    await until(
      'the turn has ended',
      async () =>
        (
          await stack.pool.query('select 1 from jobs where id = $1 and finished_at is not null', [
            id,
          ])
        ).rowCount === 1,
    );
    expect(await stack.job(id)).toMatchObject({ status: 'active' });
    await transaction(stack.pool, tx => withdrawInstruction(tx, id, 'msg_untold'));
    await stack.pool.query(
      "update jobs set updated_at = now() - interval '2 minutes' where id = $1",
      [id],
    );
    await sweepJobs({
      config: stack.config,
      pool: stack.pool,
      temporal: stack.temporal,
      log: createLogger('silent'),
    });
    const job = await stack.rest(id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(played).toBe(2);
    play({ text: 'Which one?' });
    await stack.message(id, 'And more');
    expect(await stack.rest(id)).toMatchObject({ status: 'completed', prLink: job.prLink });
    const { rows } = await stack.pool.query(
      'select prompt, state, turn from instructions where job_id = $1 order by seq',
      [id],
    );
    expect(rows).toEqual([
      { prompt: 'Say second', state: 'taken', turn: 1 },
      { prompt: 'More', state: 'withdrawn', turn: null },
      { prompt: 'And more', state: 'taken', turn: 2 },
    ]);
  }, 60_000);

  it('a workflow that is terminated in the middle: settled by the next sweep, and its worker stops', async () => {
    play(EDIT, THINKING);
    const job = await stack.create('Wait');
    await until('the model thinks', () => played === 2);
    execFileSync(
      testTemporal().cliPath,
      ['workflow', 'terminate', '--address', testTemporal().address, '--workflow-id', job.id],
      { stdio: 'pipe' },
    );
    await until('the job is settled', async () => {
      await sweepJobs({
        config: stack.config,
        pool: stack.pool,
        temporal: stack.temporal,
        log: createLogger('silent'),
      });
      return (await stack.job(job.id)).archivedAt !== null;
    });
    expect(await stack.job(job.id)).toMatchObject({ status: 'failed', prLink: null });
    await until(
      'its model call is cut and accounted for',
      async () =>
        (
          await stack.pool.query(
            'select 1 from model_calls where job_id = $1 and settled_at is null',
            [job.id],
          )
        ).rowCount === 0,
    );
    await until('the model is hung up on', () => stack.model.requests.at(-1)?.hungUpAt != null);
    expect((await post(job, 'message', { prompt: 'More' })).status).toBe(409);
    expect((await post(job, 'rewind', { step: 1 })).status).toBe(409);
    expect((await post(job, 'cancel')).body).toMatchObject({ status: 'failed' });
  }, 60_000);

  it('workflows that are terminated while one row is locked: the sweep settles the others', async () => {
    play({ text: 'Which?' }, { text: 'Which?' });
    const jobs = [(await stack.create('One')).id, (await stack.create('Two')).id];
    for (const id of jobs) {
      await stack.rest(id);
      await stack.temporal.workflow.getHandle(id).terminate();
    }
    const [locked = '', other = ''] = await unarchivedJobs(stack.pool, jobs);
    const pool = openPool({
      connectionString: `${stack.databaseUrl}?options=-c%20lock_timeout%3D200`,
    });
    const holder = await stack.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from jobs where id = $1 for update', [locked]);
      await until('the other one is settled', async () => {
        await sweepJobs({ ...stack, pool, log: createLogger('silent') });
        return (await stack.job(other)).archivedAt !== null;
      });
      expect((await stack.job(locked)).archivedAt).toBeNull();
    } finally {
      await holder.query('rollback');
      holder.release();
      await pool.end();
    }
  });
});

it('archive of a job whose row rests already, and whose workflow has not heard of it yet: archives it', async () => {
  const stack = await startJobStack({
    files: { 'docs/guide.md': '# Guide\n' },
    script: () => ({ text: 'What now?' }),
    noWorker: true,
  });
  const { config, bundlePath } = stack;
  const { deps, connection, close } = await openDeps({
    config: { ...config, DATABASE_URL: stack.databaseUrl },
    temporal: { address: testTemporal().address },
    logger: createLogger('silent'),
  });
  const activities = createJobActivities(deps);
  let tell = () => {};
  const told = new Promise<void>(resolve => {
    tell = resolve;
  });
  const reportTurn: typeof activities.reportTurn = async input => {
    const reported = await activities.reportTurn(input);
    await told;
    return reported;
  };
  const worker = await createWorker({
    config,
    connection,
    bundlePath,
    activities: { ...activities, reportTurn },
  });
  const running = worker.run();
  try {
    const { id } = await stack.create('Ask');
    await until('the row rests', async () => (await stack.job(id)).status === 'completed');
    const archived = stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/archive`);
    await until(
      'the archive is accepted',
      async () =>
        (await stack.temporal.workflow.getHandle(id).fetchHistory()).events?.some(
          event => event.workflowExecutionSignaledEventAttributes,
        ) ?? false,
    );
    tell();
    expect((await archived).status).toBe(200);
    await until('the job is archived', async () => (await stack.job(id)).archivedAt !== null);
  } finally {
    tell();
    worker.shutdown();
    await running;
    await close();
    await stack.close();
  }
}, 60_000);
