import { createLogger } from '../../shared/logger.ts';
import { insertInstruction, withdrawInstruction } from '../../db/jobs/instructions.ts';
import { deleteOldWebhookDeliveries } from '../../db/outgoing/deliveries.ts';
import { transaction } from '../../db/pool.ts';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import type { DeliveryBody, EndpointBody } from '../../shared/webhooks/schemas.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, edit, FINISH, held } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { passTime } from './webhook-receiver.ts';

const ASK: ScriptedReply = { toolUses: [{ name: 'ask', input: { question: 'Which one?' } }] };

/** What the triggers store while something else happens. Nothing is sent: nobody listens there. */
describe('events for webhooks', () => {
  let stack: JobStack;
  let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
  let webhook = '';
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script.shift() ?? { text: 'Nothing more.' },
      env: { ENCRYPTION_KEY: 'a key of the tests, of more than 32 characters' },
    });
  }, 60_000);
  afterAll(() => stack?.close());
  beforeEach(async () => {
    const made = await stack.call('POST', '/v1/webhooks', {
      url: 'https://127.0.0.1:1/',
      events: [
        ...['job.completed', 'job.waiting', 'pull_request.opened', 'pull_request.merged'],
        'automation.run',
      ],
    });
    webhook = (made.body as { webhook: EndpointBody }).webhook.id;
  });

  const stored = async () => {
    const answer = await stack.call('GET', `/v1/webhooks/${webhook}/deliveries`);
    const { deliveries } = answer.body as { deliveries: DeliveryBody[] };
    return deliveries.map(({ type }) => type).toSorted();
  };

  it('do not keep a job waiting for a webhook that is being removed, and do not fail it', async () => {
    const removal = await stack.pool.connect();
    try {
      await removal.query('begin');
      await removal.query('delete from webhook_endpoints where id = $1', [webhook]);
      const { id } = await stack.create('What is this?');
      expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
      await removal.query('commit');
    } finally {
      removal.release(true);
    }
  }, 60_000);

  it('tell of a pull request that was merged before its job knew of it', async () => {
    script = [EDIT, FINISH];
    const holder = await stack.pool.connect();
    let id = '';
    try {
      await holder.query(
        `create function wait() returns trigger language plpgsql as
           $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$`,
      );
      await holder.query(
        `create trigger held before insert on activity_results for each row
           when (new.type = 'openPullRequest') execute function wait()`,
      );
      await holder.query('select pg_advisory_lock(1)');
      ({ id } = await stack.create('Say second'));
      await until('the pull request is there', async () => {
        const { rowCount } = await stack.pool.query(
          "select from pg_locks where locktype = 'advisory' and not granted",
        );
        return rowCount === 1;
      });
      await stack.call('POST', '/git/docs/pulls/1/merge', undefined, {
        authorization: `Bearer ${stack.config.LOCAL_HOST_TOKEN}`,
      });
    } finally {
      holder.release(true); // and with its session the lock
    }
    await stack.rest(id);
    expect(await stored()).toEqual(['job.completed', 'pull_request.merged', 'pull_request.opened']);
  }, 60_000);

  it('tell of a merge at the moment in which its job opens the pull request', async () => {
    script = [edit('second', 'third'), FINISH];
    const { id } = await stack.create('Say second');
    await stack.rest(id);
    const {
      rows: [job],
    } = await stack.pool.query<{ number: number }>(
      'select pr_number as number from jobs where id = $1',
      [id],
    );
    await stack.pool.query("delete from webhook_deliveries where type like 'pull_request.%'");
    const [opening, merging] = [await stack.pool.connect(), await stack.pool.connect()];
    try {
      await opening.query('begin');
      await opening.query(
        `insert into job_events (job_id, seq, type, data)
         select id, last_event + 100, 'pull_request', '{"state": "opened"}' from jobs where id = $1`,
        [id],
      );
      const merged = merging.query(
        `update local_pull_requests set state = 'merged' where repository = 'docs' and number = $1`,
        [job!.number],
      );
      await opening.query('commit');
      await merged;
    } finally {
      opening.release();
      merging.release();
    }
    expect(await stored()).toContain('pull_request.merged');
  }, 60_000);

  it('tell of a run of an automation, and of a merge that GitHub reports', async () => {
    const { pool, project } = stack;
    const { id } = await stack.create('What is this?');
    await stack.rest(id);
    await pool.query(
      `insert into automations (id, project_id, path, name) values ('aut_1', $1, 'a.md', 'A')`,
      [project.id],
    );
    await pool.query(
      `insert into automation_runs (id, automation_id, key, cause) values ('run_1', 'aut_1', 'k', '{}')`,
    );
    await pool.query("update automation_runs set state = 'done', outcome = 'no_action'");
    await pool.query(
      `with moved as (
         update jobs set host = 'github', repository = 'Acme/Docs', pr_number = 7 where id = $1)
       insert into publications (id, job_id, turn, revision_id, branch, parent, commit, tree, message,
                                 author_time, title, body, state, pr_number, pr_link)
       values ('pub_1', $1, 1, 'r', 'b', 'p', 'c', 't', 'm', 0, 't', 'b', 'published', 7, 'https://x')`,
      [id],
    );
    const report = `insert into github_pull_requests (host, repository, number, state, updated_at)
      values ('github', 'acme/docs', 7, $1, now())
      on conflict (host, repository, number) do update set state = excluded.state`;
    for (const state of ['open', 'merged', 'merged']) await pool.query(report, [state]);
    expect(await stored()).toEqual(['automation.run', 'job.completed', 'pull_request.merged']);
  }, 60_000);

  it('are deleted after thirty days', async () => {
    await stack.rest((await stack.create('What is this?')).id);
    await passTime(stack.pool, '29 days');
    await deleteOldWebhookDeliveries(stack.pool, 30, 1000);
    expect(await stored()).toEqual(['job.completed']);
    await passTime(stack.pool, '2 days');
    await deleteOldWebhookDeliveries(stack.pool, 30, 1000);
    expect(await stored()).toEqual([]);
  }, 60_000);

  it.each([
    ['that ended', FINISH, 'job.completed'],
    ['that asks', ASK, 'job.waiting'],
  ])(
    'tell of a turn %s, whose next instruction was withdrawn',
    async (_, reply, type) => {
      const last = held(reply);
      script = [EDIT, last.reply];
      const { id } = await stack.create('Say second');
      await until('the model is asked again', () => script.length === 0);
      await transaction(stack.pool, tx =>
        insertInstruction(tx, { jobId: id, messageId: `msg_of_${id}`, prompt: 'More' }),
      );
      last.release();
      await until('the turn has ended', async () => {
        const { rows } = await stack.pool.query<{ ended: boolean }>(
          'select finished_at is not null as ended from jobs where id = $1',
          [id],
        );
        return rows[0]!.ended;
      });
      expect(await stored()).not.toContain(type); // a further instruction is next
      await transaction(stack.pool, tx => withdrawInstruction(tx, id, `msg_of_${id}`));
      await stack.pool.query("update jobs set updated_at = now() - interval '2 minutes'");
      const { config, pool, temporal } = stack;
      await sweepJobs({ config, pool, temporal, log: createLogger('silent') });
      expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
      expect((await stored()).filter(each => each.startsWith('job.'))).toEqual([type]);
    },
    60_000,
  );
});
