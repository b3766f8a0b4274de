import { rmSync } from 'node:fs';
import { docent, temporaryFolder } from '../support/docent.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { type OwnServices, startOwnServices } from '../support/own-services.ts';
import { EDIT, edit, FINISH } from '../support/replies.ts';
import type { ScriptedAnswer, ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

type Waits = JobBody & { waitingFor?: string };

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const PROPOSE: ScriptedReply = {
  toolUses: [
    {
      name: 'propose_plan',
      input: { summary: 'Say it.', changes: [{ path: 'docs/guide.md', change: 'Say second.' }] },
    },
  ],
};
const ASK: ScriptedReply = {
  toolUses: [{ name: 'ask', input: { question: 'Which one?', options: ['second', 'third'] } }],
};
/** More than the budget of the jobs below, with any model’s price. */
const DEAR: ScriptedAnswer = { ...EDIT, usage: { output: 100_000 } };

/** How a job comes to wait, and what the model says then. */
const KINDS = {
  approval: { body: { requirePlanApproval: true }, script: [PROPOSE], then: [EDIT, FINISH] },
  answer: { body: {}, script: [ASK], then: [EDIT, FINISH] },
  budget: { body: { budget: 0.01 }, script: [DEAR], then: [FINISH] },
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** Of a shell, and of Temporal’s own command. */
const COMMANDS: Record<Kind, string[]> = {
  approval: ['approve'],
  answer: ['message', 'second'],
  budget: ['budget', '1000'],
};
const SIGNALS: Record<Kind, [name: string, input: object]> = {
  approval: ['approve', { turn: 1 }],
  answer: ['message', { prompt: 'second' }],
  budget: ['budget', { usd: 1000 }],
};
const REQUESTS: Record<Kind, [method: string, rest: string, body?: object]> = {
  approval: ['POST', '/approve'],
  answer: ['POST', '/message', { prompt: 'second', turn: 1 }],
  budget: ['PATCH', '', { budget: 1000 }],
};

let script: ScriptedReply[] = [];
const play = () => script.shift() ?? { text: 'Nothing more.' };

/** What tests do with the jobs of a stack. */
function playing(stack: () => JobStack) {
  const path = (id: string, rest = '') => `/v2/agent/${stack().project.id}/job/${id}${rest}`;
  return {
    path,
    async waits(kind: Kind): Promise<string> {
      script = [...KINDS[kind].script];
      const { id } = await stack().create('Say second', KINDS[kind].body);
      expect(await stack().rest(id)).toMatchObject({ waitingFor: kind, prLink: null });
      script = [...KINDS[kind].then];
      return id;
    },
    ask: (id: string, kind: Kind) => {
      const [method, rest, body] = REQUESTS[kind];
      return stack().call(method, path(id, rest), body);
    },
    async isPublished(id: string): Promise<void> {
      await until('it is published', async () => (await stack().rest(id)).prLink !== null);
      const job = (await stack().job(id)) as Waits;
      expect(job).toMatchObject({ status: 'completed' });
      expect(job).not.toHaveProperty('waitingFor');
      expect(stack().git('show', `${job.source.ref}:docs/guide.md`)).toContain('The second line.');
    },
    events: async (id: string) =>
      (
        await stack().pool.query<{ state: string }>(
          `select data ->> 'state' as state from job_events
            where job_id = $1 and type = 'waiting' order by seq`,
          [id],
        )
      ).rows.map(({ state }) => state),
  };
}

describe('a job that waits for a person', () => {
  let stack: JobStack;
  let dataDir: string;
  const { path, waits, ask, isPublished } = playing(() => stack);
  beforeAll(async () => {
    dataDir = await temporaryFolder();
    const env = { JOB_MAX_ACTIVE_PER_PROJECT: '1' };
    stack = await startJobStack({ files: FILES, script: play, env });
  });
  afterAll(async () => {
    await stack?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  describe.each(KIND_NAMES)('for %s', kind => {
    it('is answered over HTTP', async () => {
      const id = await waits(kind);
      expect(await ask(id, kind)).toMatchObject({ status: 200, body: { status: 'active' } });
      await isPublished(id);
    });

    it('on the command line, which says that it waits', async () => {
      const id = await waits(kind);
      const run = (verb: string, ...args: string[]) =>
        docent(dataDir, ['job', verb, id, ...args], {
          BASE_URL: stack.baseUrl,
          ADMIN_KEY: stack.adminKey,
          PROJECT_ID: stack.project.id,
        });
      expect((await run('get')).stdout).toContain(`waiting for ${kind}`);
      const [verb = '', ...args] = COMMANDS[kind];
      const { stdout, code } = await run(verb, ...args, '--wait');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^published: /m)]);
      await isPublished(id);
    });

    it('by a plain signal', async () => {
      const id = await waits(kind);
      await stack.temporal.workflow.getHandle(id).signal(...SIGNALS[kind]);
      await isPublished(id);
      expect((await stack.job(id)).status).toBe('completed');
    });

    it('after a rewind, which makes it wait again', async () => {
      const id = await waits(kind);
      await ask(id, kind);
      await isPublished(id);
      const { body, script: again } = KINDS[kind];
      // What was spent stays spent: the raised budget holds.
      if ('budget' in body) return;
      script = [...again];
      expect(await stack.call('POST', path(id, '/rewind'), { turn: 1, step: 1 })).toMatchObject({
        status: 200,
      });
      await until('it waits', async () => ((await stack.rest(id)) as Waits).waitingFor === kind);
      script = [...KINDS[kind].then];
      await ask(id, kind);
      await isPublished(id);
    });
  });

  it('tells the second of two people who answer a question', async () => {
    const id = await waits('answer');
    const answers = await Promise.all([ask(id, 'answer'), ask(id, 'answer')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await isPublished(id);
  });

  it('takes back an approval that only a rewound turn had read', async () => {
    const id = await waits('approval');
    await ask(id, 'approval');
    await isPublished(id);
    script = [edit('first', 'third'), FINISH];
    await stack.call('POST', path(id, '/rewind'), { turn: 2, step: 1 });
    await until('it is done again', async () => {
      const { source } = await stack.rest(id);
      return stack.git('show', `${source.ref}:docs/guide.md`).includes('third');
    });
    expect((await stack.job(id)).status).toBe('completed');
  });

  it('continues when its budget was raised before it noticed that it is reached', async () => {
    script = [{ ...DEAR, delayMs: 1_500 }, FINISH];
    const { id } = await stack.create('Say second', { budget: 0.01 });
    await until('the model is asked', async () => script.length === 1);
    expect(await stack.call('PATCH', path(id), { budget: 1000 })).toMatchObject({ status: 200 });
    await isPublished(id);
    expect(await stack.call('PATCH', path(id), { budget: 0 })).toMatchObject({ status: 400 });
  });

  it('has the last of the budgets that were signalled at one moment, before its turn was cancelled', async () => {
    script = [{ ...EDIT, delayMs: 2_000 }];
    const { id } = await stack.create('Say second', { budget: 1 });
    await until('the model is asked', async () => script.length === 0);
    for (const usd of [7, 3, 3, 7])
      await stack.temporal.workflow.getHandle(id).signal('budget', { usd });
    await stack.call('POST', path(id, '/cancel'));
    await stack.rest(id);
    const { rows } = await stack.pool.query<{ usd: number; message: string }>(
      'select budget_microusd / 1e6 as usd, message_to_user as message from jobs where id = $1',
      [id],
    );
    expect(Number(rows[0]?.usd)).toBe(7);
    expect(rows[0]?.message).not.toContain('dropped');
  });

  it('keeps its budget where it may not continue now', async () => {
    const id = await waits('budget');
    script = [{ text: 'Nothing to do.', delayMs: 4_000 }];
    const other = await stack.create('Look around');
    expect(await ask(id, 'budget')).toMatchObject({ status: 429 });
    expect(await stack.call('GET', path(id, '/messages'))).toMatchObject({
      body: { waiting: { for: 'budget', budgetUsd: 0.01 } },
    });
    await stack.rest(other.id);
    script = [FINISH];
    expect(await ask(id, 'budget')).toMatchObject({ status: 200 });
    await isPublished(id);
  });

  it('stops for its budget again if the new one is too small, and nothing is called', async () => {
    const id = await waits('budget');
    const asked = stack.model.requests.length;
    expect(await stack.call('PATCH', path(id), { budget: 0.02 })).toMatchObject({
      body: { status: 'failed', waitingFor: 'budget' },
    });
    await stack.temporal.workflow.getHandle(id).signal('budget', { usd: 0.03 });
    await until('it waits again', async () => {
      const { rows } = await stack.pool.query('select turns from jobs where id = $1', [id]);
      return rows[0]?.turns === 2 && ((await stack.rest(id)) as Waits).waitingFor === 'budget';
    });
    expect(stack.model.requests).toHaveLength(asked);
    await ask(id, 'budget');
    await isPublished(id);
  });
});

describe('a job that waits, when everything is restarted', () => {
  let services: OwnServices;
  let stack: JobStack;
  const { waits, ask, isPublished } = playing(() => stack);
  beforeAll(async () => {
    services = await startOwnServices();
    const { database, temporalAddress } = services;
    // Each turn begins a new history: what waits is carried into it.
    const env = { JOB_CONTINUE_AS_NEW_AFTER_TURNS: '1' };
    stack = await startJobStack({
      files: FILES,
      script: play,
      database,
      temporalAddress,
      env,
      noWorker: true,
    });
  }, 60_000);
  afterAll(async () => {
    await stack?.close();
    await services?.close();
  });

  it('still waits, and is answered', async () => {
    const first = await stack.startWorker();
    const ids: Record<string, string> = {};
    for (const kind of KIND_NAMES) ids[kind] = await waits(kind);
    await first.stop();
    const startApi = await stack.killApi();
    await services.backUp('temporal');
    await services.restore('temporal');
    await stack.pool.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await startApi();
    await stack.startWorker();
    for (const kind of KIND_NAMES) {
      expect(await stack.job(ids[kind]!)).toMatchObject({ waitingFor: kind });
      script = [...KINDS[kind].then];
      await until('it is taken', async () => (await ask(ids[kind]!, kind)).status === 200);
      await isPublished(ids[kind]!);
    }
  }, 120_000);
});

describe('a job that nobody answers', () => {
  let stack: JobStack;
  const { waits, events, isPublished, ask } = playing(() => stack);
  const days = (seconds: number) => String(seconds / 86_400);
  beforeAll(async () => {
    const env = {
      JOB_REMIND_AFTER_DAYS: days(1),
      JOB_WAIT_DAYS: days(3),
      JOB_CONTINUE_AS_NEW_AFTER_TURNS: '1',
    };
    stack = await startJobStack({ files: FILES, script: play, env });
  });
  afterAll(() => stack.close());

  it.each(KIND_NAMES)('waits for %s, reminds, and stops waiting', async kind => {
    const id = await waits(kind);
    await until('the wait ends', async () => (await events(id)).includes('ended'));
    expect(await events(id)).toEqual(['began', 'reminded', 'ended']);
    const job = (await stack.job(id)) as Waits;
    expect(job).not.toHaveProperty('waitingFor');
    expect(
      (await stack.get<{ outcome: { sentence: string } }>(id, '/messages')).outcome.sentence,
    ).toContain('in time');
    if (kind === 'budget') return;
    expect(await ask(id, kind)).toMatchObject({ status: 409 });
    script = [PROPOSE, EDIT, FINISH];
    if (kind === 'answer') script.shift();
    await stack.message(id, 'second');
    if (kind === 'answer') return await isPublished(id);
    expect(await stack.rest(id)).toMatchObject({ waitingFor: kind });
  });
});
