import { createKey } from '../../db/projects/keys.ts';
import type { Config } from '../../shared/config.ts';
import { readConfig } from '../../shared/config.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, FINISH, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { slowly } from '../support/slow.ts';

describe('limits', () => {
  let stack: JobStack;
  let defaults: Config;
  let script: ScriptedReply[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? THINKING,
    });
    defaults = { ...stack.config };
  });
  afterAll(() => stack.close());
  /** API and worker share this object. */
  const configure = (change: Partial<Config>) => {
    for (const name of Object.keys(stack.config))
      if (!(name in defaults)) delete (stack.config as Record<string, unknown>)[name];
    Object.assign(stack.config, defaults, change);
  };
  const play = (...replies: ScriptedReply[]) => {
    script = replies;
    played = 0;
  };
  const create = (key = stack.adminKey) =>
    stack.call(
      'POST',
      `/v2/agent/${stack.project.id}/job`,
      { prompt: 'Say second' },
      { authorization: `Bearer ${key}` },
    );
  const cancel = (job: JobBody) =>
    stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/cancel`);
  const told = async (job: JobBody) =>
    (
      await stack.pool.query<{ message: string }>(
        'select message_to_user as message from jobs where id = $1',
        [job.id],
      )
    ).rows[0]?.message;

  it('the ledger counts what the model’s API counted, also of calls that were cut, failed or rewound', async () => {
    configure({});
    play(
      { status: 529, errorType: 'overloaded_error' },
      { text: 'Let me see what there is.', cutAfterEvents: 4 },
      EDIT,
      FINISH,
    );
    const first = await stack.rest((await stack.create('Say second')).id);
    play(EDIT, FINISH);
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${first.id}/rewind`, { step: 1 });
    await stack.rest(first.id);
    play(EDIT, THINKING);
    const second = await stack.create('Say second');
    await until('the model thinks', () => played === 2);
    await cancel(second);
    await stack.rest(second.id);
    const counted = stack.model.requests.flatMap(({ usage }) => usage ?? []);
    const sum = (of: 'input' | 'cacheRead' | 'cacheWrite') =>
      counted.reduce((total, usage) => total + usage[of], 0);
    const columns = (from: string) =>
      `select sum(input_tokens)::bigint as input, sum(cache_read_tokens)::bigint as "cacheRead", sum(cache_write_tokens)::bigint as "cacheWrite" from ${from}`;
    const expected = {
      input: sum('input'),
      cacheRead: sum('cacheRead'),
      cacheWrite: sum('cacheWrite'),
    };
    expect((await stack.pool.query(columns('model_calls'))).rows).toEqual([expected]);
    expect((await stack.pool.query(columns('jobs'))).rows).toEqual([expected]);
    const { rows } = await stack.pool.query<{ calls: number; open: number }>(
      'select count(*) as calls, count(*) filter (where settled_at is null) as open from model_calls',
    );
    expect(rows).toEqual([{ calls: stack.model.requests.length, open: 0 }]);
  }, 60_000);

  it('so many active jobs a project, also when they are asked for at once', async () => {
    configure({ JOB_MAX_ACTIVE_PER_PROJECT: 2 });
    play({ text: 'What now?' });
    const resting = await stack.rest((await stack.create('Ask')).id);
    play(THINKING, THINKING, THINKING);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201, 201, 429, 429, 429,
    ]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ error: expect.stringContaining('2 active jobs') });
    expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(
      (
        await stack.call('POST', `/v2/agent/${stack.project.id}/job/${resting.id}/message`, {
          prompt: 'More',
        })
      ).status,
    ).toBe(429);
    expect(
      (
        await stack.call('POST', `/v2/agent/${stack.project.id}/job/${resting.id}/rewind`, {
          step: 1,
        })
      ).status,
    ).toBe(429);
    for (const { status, body } of answers) {
      if (status !== 201) continue;
      await cancel(body as JobBody);
      await stack.rest((body as JobBody).id);
    }
  }, 60_000);

  it.each<[string, Partial<Config>, RegExp, number?]>([
    [
      'tokens',
      { JOB_MAX_TOKENS: 1 },
      /^The limit of 1 tokens per turn is reached \(JOB_MAX_TOKENS\)\. The edits are kept/,
    ],
    [
      'steps',
      { JOB_MAX_STEPS: 1 },
      /^The limit of 1 steps per turn is reached \(JOB_MAX_STEPS\)\./,
    ],
    [
      'minutes',
      { JOB_MAX_TURN_MINUTES: 0.03 },
      /^The limit of 0.03 minutes per turn is reached \(JOB_MAX_TURN_MINUTES\)\./,
      2_000,
    ],
  ])(
    'so many %s a turn: one sentence, no pull request, the edits are kept',
    async (_, limits, sentence, delayMs = 0) => {
      configure(limits);
      play({ ...EDIT, delayMs }, FINISH);
      const job = await stack.rest((await stack.create('Say second')).id);
      expect(job).toMatchObject({ status: 'failed', prLink: null });
      expect(await told(job)).toMatch(sentence);
      expect(played).toBe(1);
      expect(
        (await stack.call('GET', `/v2/agent/${stack.project.id}/job/${job.id}/diff`)).body,
      ).toContain('+The second line.');
    },
  );

  slowly(
    'so many active jobs a project, also for a script: a job that its signal wakes waits for room',
    async () => {
      configure({ JOB_MAX_ACTIVE_PER_PROJECT: 1 });
      play({ text: 'Which one?' });
      const woken = await stack.rest((await stack.create('Say second')).id);
      play(THINKING, { text: 'Which one?' });
      const busy = await stack.create('Think');
      await until('the model thinks', () => played === 1);
      await stack.temporal.workflow.getHandle(woken.id).signal('message', { prompt: 'Say third' });
      await new Promise(resolve => setTimeout(resolve, 2_000));
      expect([played, (await stack.job(woken.id)).status]).toEqual([1, 'completed']);
      await cancel(busy);
      await until('the script’s turn is made', async () => {
        const { rows } = await stack.pool.query('select turns, state from jobs where id = $1', [
          woken.id,
        ]);
        return rows[0].turns === 2 && rows[0].state === 'completed';
      });
      expect(played).toBe(2);
    },
  );

  it('so many waiting instructions a job, whatever way they came', async () => {
    configure({ JOB_MAX_QUEUE: 3 });
    play(THINKING);
    const job = await stack.create('Say second');
    await until('the model is asked', () => Promise.resolve(played === 1));
    const workflow = stack.temporal.workflow.getHandle(job.id);
    const send = async () =>
      (
        await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/message`, {
          prompt: 'Over HTTP',
        })
      ).status;
    for (const n of [1, 2]) await workflow.signal('message', { prompt: `By signal, ${n}` });
    expect([await send(), await send()]).toEqual([200, 429]);
    await workflow.signal('message', { prompt: 'One too many' });
    await cancel(job);
    await stack.rest(job.id);
    const { rows } = await stack.pool.query<{ prompt: string }>(
      'select prompt from instructions where job_id = $1 order by seq',
      [job.id],
    );
    expect(rows.map(({ prompt }) => prompt).toSorted()).toEqual([
      ...['By signal, 1', 'By signal, 2', 'Over HTTP', 'Say second'],
    ]);
  });

  it('so many days at rest, then archived by itself; a follow-up begins them anew', async () => {
    const days = 0.00005;
    configure({ JOB_ARCHIVE_AFTER_DAYS: days });
    play({ text: 'What now?' }, { text: 'Very well.' });
    const { id } = await stack.rest((await stack.create('Ask')).id);
    await stack.message(id, 'And this');
    await until('the job is archived', async () => (await stack.job(id)).archivedAt !== null);
    const { rows } = await stack.pool.query<{ turns: number; rested: number }>(
      'select turns, extract(epoch from archived_at - finished_at)::float as rested from jobs where id = $1',
      [id],
    );
    expect(rows).toEqual([{ turns: 2, rested: expect.any(Number) }]);
    expect(rows[0]?.rested).toBeGreaterThan(days * 86_400);
    expect(
      (
        await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/message`, {
          prompt: 'More',
        })
      ).status,
    ).toBe(409);
  });

  it('so much money a month, for each key and for the organization', async () => {
    const {
      rows: [spent],
    } = await stack.pool.query<{ cost: number }>(
      'select sum(cost_microusd)::bigint as cost from model_calls',
    );
    expect(spent?.cost).toBeLessThan(100_000); // at list prices, far from the limits below
    configure({
      MODEL_PRICES: '{"claude-sonnet-5-5": {"input": 1000, "output": 0}}',
      JOB_KEY_MONTHLY_COST_LIMIT_USD: 0.5,
      JOB_MONTHLY_COST_LIMIT_USD: 0.8,
    });
    const usage = (input: number) => ({ usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 } });
    play({ ...EDIT, ...usage(100) }, { ...FINISH, ...usage(100) });
    expect(await stack.rest((await stack.create('Say second')).id)).toMatchObject({
      status: 'completed',
    });
    play({ ...EDIT, ...usage(300) });
    const over = await stack.rest((await stack.create('Say second')).id);
    expect(over.status).toBe('failed');
    expect(await told(over)).toBe(
      'The model cost limit of $0.5 per month of the key that created this job is reached (JOB_KEY_MONTHLY_COST_LIMIT_USD).',
    );
    const refused = await create();
    expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([
      429,
      '"key-monthly-cost";q=0.5',
    ]);
    expect(refused.body).toMatchObject({
      error:
        'Limit exceeded: this key may spend 0.5 US dollars per month on agent jobs. It resets with the calendar month (UTC).',
    });

    const { token } = await createKey(stack.pool, {
      organizationId: stack.project.organizationId,
      kind: 'admin',
      name: 'another',
    });
    play({ ...EDIT, ...usage(300) });
    const created = await create(token);
    expect(created.status).toBe(201);
    const last = await stack.rest((created.body as JobBody).id);
    expect(await told(last)).toBe(
      'The organization’s model cost limit of $0.8 per month is reached (JOB_MONTHLY_COST_LIMIT_USD).',
    );
    expect((await create(token)).body).toMatchObject({
      error: expect.stringContaining('Limit exceeded: this organization may spend'),
    });
    expect(played).toBe(1);
  });

  it.each([
    '{',
    '[]',
    '{"m": 3}',
    '{"m": {"input": -1, "output": 1}}',
    '{"m": {"input": "3", "output": 1}}',
  ])('MODEL_PRICES=%s is refused at start', prices => {
    expect(() => readConfig({ MODEL_PRICES: prices })).toThrow(
      /^MODEL_PRICES must be JSON such as/,
    );
  });

  it('do not believe a count of tokens that cannot be one, and mark the call', async () => {
    configure({ MODEL_PRICES: '{"claude-sonnet-5-5":{"input":3,"output":15}}' });
    play({ ...EDIT, usage: { output: -1e9, cacheRead: -5 } }, { ...FINISH, usage: { input: 1.5 } });
    const job = await stack.rest((await stack.create('Say second')).id);
    const { rows } = await stack.pool.query(
      `select outcome, least(input_tokens, output_tokens, cache_read_tokens) as least,
              cost_microusd as cost
         from model_calls where job_id = $1`,
      [job.id],
    );
    expect(rows).toEqual([
      { outcome: 'usage_unknown', least: 0, cost: null },
      { outcome: 'usage_unknown', least: 0, cost: null },
    ]);
  });
});
