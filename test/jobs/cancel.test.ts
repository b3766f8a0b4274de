import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const EDITOR = 'str_replace_based_edit_tool';
const EDIT: ScriptedReply = { toolUses: [{ name: EDITOR, input: { command: 'str_replace', path: 'docs/guide.md', old_str: 'first', new_str: 'second' } }] };
const FINISH: ScriptedReply = { toolUses: [{ name: 'finish', input: { title: 'Say second', body: 'As asked.', message: 'Done.' } }] };

describe('cancel and archive', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({ files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' }, script: () => script[played++] ?? { text: 'Nothing.' } });
  });
  afterAll(() => stack.close());
  const play = (...replies: ScriptedReply[]) => { script = replies; played = 0; };
  const post = (jobId: string, verb: string) => stack.call('POST', `/v2/agent/${stack.project.id}/job/${jobId}/${verb}`);
  const until = async (condition: () => Promise<boolean> | boolean) => {
    for (let i = 0; i < 200 && !(await condition()); i++) await new Promise(resolve => setTimeout(resolve, 50));
  };

  it('ends a model call within three seconds, keeps the diff, opens nothing, drops and names what waits', async () => {
    play(EDIT, { text: 'Thinking…', silentMs: 60_000 });
    const created = await stack.create('Say second');
    await until(() => played === 2);
    await stack.message(created.id, 'And another thing');
    const before = Date.now();
    const { status, body } = await post(created.id, 'cancel');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: created.id });
    expect(await stack.rest(created.id)).toMatchObject({ status: 'failed', prLink: null });
    expect(Date.now() - before).toBeLessThan(3_000);
    await until(() => stack.model.requests.at(-1)?.hungUpAt != null);
    expect(stack.model.requests.at(-1)?.hungUpAt).not.toBeNull();
    const diff = await stack.call('GET', `/v2/agent/${stack.project.id}/job/${created.id}/diff`);
    expect(diff.body).toContain('+The second line.');
    const { rows: [row] } = await stack.pool.query<{ message_to_user: string }>('select message_to_user from jobs where id = $1', [created.id]);
    expect(row?.message_to_user).toMatch(/Cancelled[^]*1 waiting instruction was dropped: “And another thing”/);
    const { rows: [call] } = await stack.pool.query<{ outcome: string }>("select outcome from model_calls where job_id = $1 order by started_at desc limit 1", [created.id]);
    expect(call?.outcome).toBe('cancelled');

    // The next turn starts from what was published, which is nothing; and one more cancel changes nothing.
    expect((await post(created.id, 'cancel')).body).toMatchObject({ status: 'failed' });
    play({ text: 'What next?' });
    await stack.message(created.id, 'Start over');
    expect(await stack.rest(created.id)).toMatchObject({ status: 'completed', prLink: null });
    expect((await stack.call('GET', `/v2/agent/${stack.project.id}/job/${created.id}/diff`)).body).toBe('');
  });

  it('archives a resting job, which takes no more instructions, and refuses an active one', async () => {
    play({ text: 'Thinking…', silentMs: 60_000 });
    const active = await stack.create('Wait');
    await until(() => played === 1);
    expect((await post(active.id, 'archive')).status).toBe(409);
    await post(active.id, 'cancel');
    await stack.rest(active.id);

    play(EDIT, FINISH);
    const created = await stack.create('Say second');
    const done = await stack.rest(created.id);
    const archived = await post(created.id, 'archive');
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject({ status: 'completed', prLink: done.prLink, archivedAt: expect.any(String) });
    expect((await stack.call('POST', `/v2/agent/${stack.project.id}/job/${created.id}/message`, { prompt: 'More' })).status).toBe(409);
    expect((await post(created.id, 'archive')).status).toBe(200);
  });

  it('fails and archives a job whose workflow an operator cancels', async () => {
    play({ text: 'Thinking…', silentMs: 60_000 });
    const created = await stack.create('Wait');
    await until(() => played === 1);
    await stack.temporal.workflow.getHandle(created.id).cancel();
    await until(async () => (await stack.job(created.id)).archivedAt !== null);
    expect(await stack.job(created.id)).toMatchObject({ status: 'failed', archivedAt: expect.any(String) });
  });
});
