import { allowForms } from '../../db/jobs/jobs.ts';
import { transaction } from '../../db/pool.ts';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { EDIT, edit, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

type Waits = JobBody & { waitingFor?: string };
interface Conversation {
  waiting: Record<string, unknown> | null;
  outcome: { result: string; sentence: string } | null;
}

const PLAN = {
  summary: 'The guide says second.',
  changes: [{ path: 'docs/guide.md', change: 'Say second.' }],
  questions: ['Only the guide?'],
};
const PROPOSE: ScriptedReply = { toolUses: [{ name: 'propose_plan', input: PLAN }] };

let stack: JobStack;
let script: ScriptedReply[] = [];
beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
    script: () => script.shift() ?? { text: 'Nothing more.' },
  });
});
afterAll(() => stack.close());

const path = (id: string, rest = '') => `/v2/agent/${stack.project.id}/job/${id}${rest}`;
const conversation = (id: string) => stack.get<Conversation>(id, '/messages');
const signal = (id: string, name: string, input: unknown) =>
  stack.temporal.workflow.getHandle(id).signal(name, input);
const toolsOf = (index: number) =>
  stack.model.requests.at(index)?.body.tools?.map(({ name }) => name);

async function plan(): Promise<string> {
  script = [PROPOSE];
  const { id } = await stack.create('Say second', { requirePlanApproval: true });
  expect(await stack.rest(id)).toMatchObject({
    status: 'completed',
    waitingFor: 'approval',
    prLink: null,
  });
  return id;
}

describe('a job whose plan a person approves', () => {
  it('reads, proposes, and changes nothing before', async () => {
    const id = await plan();
    expect(toolsOf(-1)).toEqual(
      expect.arrayContaining(['view_files', 'search_docs', 'propose_plan', 'ask']),
    );
    for (const name of ['finish', 'replace_all', 'str_replace_based_edit_tool', 'move_page'])
      expect(toolsOf(-1)).not.toContain(name);
    expect((await conversation(id)).waiting).toEqual({ for: 'approval', turn: 1, plan: PLAN });
    script = [EDIT, FINISH];
    const approved = await stack.call('POST', path(id, '/approve?turn=1'));
    expect(approved).toMatchObject({ status: 200, body: { status: 'active' } });
    expect(approved.body).not.toHaveProperty('waitingFor');
    const done = (await stack.rest(id)) as Waits;
    expect(done).toMatchObject({
      status: 'completed',
      prLink: expect.stringMatching(/^http/) as string,
    });
    expect(done).not.toHaveProperty('waitingFor');
    expect(toolsOf(-1)).toEqual(expect.arrayContaining(['finish', 'str_replace_based_edit_tool']));
    expect(toolsOf(-1)).not.toContain('propose_plan');
    expect(JSON.stringify(stack.model.requests.at(-1)?.body.messages)).toContain(
      'A person approved this plan',
    );
  });

  it('does not edit, whatever the model calls', async () => {
    script = [EDIT, FINISH, PROPOSE];
    const { id } = await stack.create('Say second', { requirePlanApproval: true });
    expect(await stack.rest(id)).toMatchObject({ waitingFor: 'approval', prLink: null });
    expect((await stack.call('GET', path(id, '/diff'))).body).toBe('');
  });

  it('changes its plan by a follow-up, and an approval of the old plan is refused', async () => {
    const id = await plan();
    script = [
      { toolUses: [{ name: 'propose_plan', input: { ...PLAN, summary: 'Both say second.' } }] },
    ];
    await stack.message(id, 'And the other page');
    expect(await stack.rest(id)).toMatchObject({ waitingFor: 'approval' });
    expect((await conversation(id)).waiting).toMatchObject({
      turn: 2,
      plan: { summary: 'Both say second.' },
    });
    for (const [turn, detail] of [
      [1, 'The job waits for something newer by now: that of turn 2.'],
      [3, 'The job does not wait for turn 3 yet, but for turn 2.'],
    ] as const)
      expect(await stack.call('POST', path(id, `/approve?turn=${turn}`))).toMatchObject({
        status: 409,
        body: { detail },
      });
    // In a body, where a follow-up has it: never taken for "whichever waits".
    const inBody = await stack.call('POST', path(id, '/approve'), { turn: 1 });
    expect(inBody).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^turn /) as string },
    });
    script = [EDIT, FINISH];
    expect(await stack.call('POST', path(id, '/approve?turn=2'))).toMatchObject({ status: 200 });
    expect((await stack.rest(id)).prLink).not.toBeNull();
  });

  it('is declined, and needs a plan again for what comes next', async () => {
    const id = await plan();
    const asked = stack.model.requests.length;
    expect(await stack.call('POST', path(id, '/decline'))).toMatchObject({ status: 200 });
    const declined = (await stack.rest(id)) as Waits;
    expect(declined).toMatchObject({ status: 'completed', prLink: null });
    expect(declined).not.toHaveProperty('waitingFor');
    expect(await conversation(id)).toMatchObject({
      waiting: null,
      outcome: { sentence: expect.stringMatching(/^Declined/) as string },
    });
    expect(stack.model.requests).toHaveLength(asked);
    script = [PROPOSE];
    await stack.message(id, 'Then only say it once');
    expect(await stack.rest(id)).toMatchObject({ waitingFor: 'approval' });
  });

  it('is approved once under one key, without a body', async () => {
    const id = await plan();
    script = [EDIT, FINISH];
    const approve = (turn: number) =>
      stack.call('POST', path(id, `/approve?turn=${turn}`), undefined, {
        'idempotency-key': `of-${id}`,
      });
    expect((await approve(1)).status).toBe(200);
    expect((await approve(1)).status).toBe(200);
    expect((await approve(2)).status).toBe(422);
    expect((await stack.rest(id)).prLink).not.toBeNull();
    const { rows } = await stack.pool.query<{ state: string }>(
      'select state from instructions where job_id = $1 and answer is not null',
      [id],
    );
    expect(rows).toEqual([{ state: 'taken' }]);
  });

  it('hears the first of two people, and tells the second', async () => {
    const id = await plan();
    script = [EDIT, FINISH];
    const answers = await Promise.all(
      ['/approve', '/decline', '/approve', '/decline'].map(verb =>
        stack.call('POST', path(id, verb)),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ]);
    // A declined plan is over at once.
    const second = answers.find(({ status }) => status === 409)?.body as { detail: string };
    expect(second.detail).toMatch(/^(?:Someone else answered first|The job does not wait)/);
    await stack.rest(id);
    const { rows } = await stack.pool.query(
      'select count(*) from instructions where job_id = $1 and answer is not null',
      [id],
    );
    expect(rows[0]).toEqual({ count: 1 });
  });

  it('by a plain signal, once, and for the turn that it names', async () => {
    const id = await plan();
    await signal(id, 'approve', { turn: 7 });
    await signal(id, 'decline', [{ turn: 7 }]);
    await signal(id, 'decline', '{"turn": 7}');
    script = [EDIT, FINISH];
    await signal(id, 'budget', { usd: 50 });
    await signal(id, 'approve', {});
    await signal(id, 'decline', {});
    await until('it is published', async () => (await stack.rest(id)).prLink !== null);
    const { memo } = await stack.temporal.workflow.getHandle(id).describe();
    expect(memo).toMatchObject({
      ignoredSignals: [
        'approve: meant for another turn than 1',
        'decline: the input must be none or {"turn": …}',
        'decline: the input must be none or {"turn": …}',
        'decline: nothing waits for approval',
      ],
    });
  });
});

describe('a job whose edits the policy refused', () => {
  const FRAME = '<iframe src="https://videos.example.com/1" title="One"></iframe>';
  const FORM = 'embed: embed iframe https://videos.example.com/…';
  const FORMS = [FORM, 'markup: attribute iframe src', 'markup: attribute iframe title'];
  const GIVEN_UP: ScriptedReply = { text: 'It is refused.' };
  const refused = async (text: string) => {
    script = [edit('first', text), GIVEN_UP];
    const { id } = await stack.create('Show the video');
    const job = (await stack.rest(id)) as Waits;
    return { id, job, waiting: (await conversation(id)).waiting };
  };

  it('asks, and a person allows it by its form: for the job', async () => {
    const { id, job, waiting } = await refused(FRAME);
    expect(job).toMatchObject({ status: 'completed', prLink: null, waitingFor: 'approval' });
    expect(waiting).toMatchObject({
      for: 'approval',
      constructs: FORMS.map(form => ({ path: 'docs/guide.md', line: 7, form })),
    });
    script = [edit('first', FRAME.replace('/1', '/2')), FINISH];
    expect(await stack.call('POST', path(id, '/approve'))).toMatchObject({ status: 200 });
    const { prLink, source } = await stack.rest(id);
    expect(await (await fetch(prLink ?? '')).text()).toContain('a person allowed it for this job');
    expect(stack.git('show', `${source.ref}:docs/guide.md`)).toContain('videos.example.com/2');
    expect((await refused(FRAME)).job.waitingFor).toBe('approval');
  });

  it('publishes the rest, asks, and names in pull request and job what was left out', async () => {
    const build = { command: 'create', path: 'package.json', file_text: '{}' };
    script = [
      edit('first', FRAME),
      { toolUses: [{ name: 'str_replace_based_edit_tool', input: build }] },
      EDIT,
      FINISH,
    ];
    const { id } = await stack.create('Show the video');
    const job = (await stack.rest(id)) as Waits;
    expect(job).toMatchObject({ status: 'completed', waitingFor: 'approval' });
    const page = (await (await fetch(job.prLink ?? '')).text()).replaceAll('&#x2F;', '/');
    const told = JSON.stringify(await conversation(id));
    for (const text of [page, told]) {
      expect(text).toContain('Left out by the policy');
      expect(text).toContain(FORM.slice(0, -1));
      expect(text).toMatch(/package\.json \((?:outside-docs|protected-path)\)/);
    }
    script = [edit('second', FRAME), FINISH];
    await stack.call('POST', path(id, '/approve'));
    const { prLink, source, ...after } = (await stack.rest(id)) as Waits;
    expect([prLink, after.waitingFor]).toEqual([job.prLink, undefined]);
    expect(stack.git('show', `${source.ref}:docs/guide.md`)).toContain('videos.example.com/1');
  });

  it('does not ask for what it wrote plainly', async () => {
    const link = '[One](https://videos.example.com/1)';
    script = [edit('first', FRAME), edit('first', link), FINISH];
    const job = (await stack.rest((await stack.create('Show the video')).id)) as Waits;
    expect(job.prLink).not.toBeNull();
    expect(job).not.toHaveProperty('waitingFor');
  });

  it('not another host, and nothing that a build runs', async () => {
    const { id } = await refused(FRAME);
    script = [edit('first', FRAME.replace('videos', 'other')), GIVEN_UP];
    await stack.call('POST', path(id, '/approve'));
    expect(await stack.rest(id)).toMatchObject({ prLink: null, waitingFor: 'approval' });
    for (const text of ['{% include "x" %}', '![x](../../etc/passwd)', `${FRAME} {% raw %}`])
      expect([text, (await refused(text)).waiting]).toEqual([text, null]);
    expect(await stack.call('POST', path(id, '/decline'))).toMatchObject({ status: 200 });
    expect(await stack.rest(id)).not.toHaveProperty('waitingFor');
  });

  it('for the project from now on, until its settings forget it', async () => {
    const { id } = await refused(FRAME);
    script = [edit('first', FRAME), FINISH];
    expect(await stack.call('POST', path(id, '/approve?allow=project'))).toMatchObject({
      status: 403,
    });
    await stack.call('POST', path(id, '/approve'));
    expect((await stack.rest(id)).prLink).not.toBeNull();
    // What the owner's button stores.
    await transaction(stack.pool, tx => allowForms(tx, id, FORMS, 'project'));
    script = [edit('first', FRAME.replace('One', 'Two')), FINISH];
    const next = await stack.create('Show the video');
    expect((await stack.rest(next.id)).prLink).not.toBeNull();
    const { rows } = await stack.pool.query<{
      settings: { allowedForms: string[] };
    }>('select settings from projects where id = $1', [stack.project.id]);
    expect(new Set(rows[0]?.settings.allowedForms)).toEqual(new Set(FORMS));
    const audit = await stack.pool.query(
      "select details ->> 'allow' as allow, details -> 'forms' as forms from audit_log where subject_id = $1",
      [id],
    );
    expect(audit.rows).toEqual([{ allow: 'job', forms: FORMS }]);
    await stack.pool.query("update projects set settings = '{}' where id = $1", [stack.project.id]);
    expect((await refused(FRAME)).job.waitingFor).toBe('approval');
  });
});
