import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { startWorkers, type Workers } from './random/workers.ts';

const EDIT: ScriptedReply = {
  toolUses: [
    {
      name: 'str_replace_based_edit_tool',
      input: { command: 'str_replace', path: 'docs/guide.md', old_str: 'first', new_str: 'second' },
    },
  ],
};

describe('a cancel for a worker that is dead', () => {
  let stack: JobStack;
  const workers: Workers[] = [];
  let script: ScriptedReply[] = [EDIT, { text: 'Thinking…', silentMs: 60_000 }];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
      script: () => script[played++] ?? { text: 'What next?' },
      noWorker: true,
      env: { ACTIVITY_HEARTBEAT_SECONDS: '12' },
    });
  });
  afterAll(async () => {
    await Promise.all(workers.map(each => each.stop()));
    await stack.close();
  });

  it('ends the turn as any other cancel does', async () => {
    workers.push(await startWorkers(stack, 1));
    const { id } = await stack.create('Say second');
    for (let i = 0; i < 600 && stack.model.requests.length < 2; i++)
      await new Promise(resolve => setTimeout(resolve, 100));
    workers.push(await startWorkers(stack, 1));
    workers[0]?.kill(); // while the model thinks: the other worker hears of the cancel before the call is missed
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/cancel`);
    expect(await stack.rest(id, 60_000)).toMatchObject({ status: 'failed', prLink: null });
    const {
      rows: [row],
    } = await stack.pool.query<{ message: string }>(
      'select message_to_user as message from jobs where id = $1',
      [id],
    );
    expect(row?.message).toMatch(/^Cancelled\. The edits are kept/);
    // Taken back, as after every cancel.
    script = [];
    await stack.message(id, 'And now?');
    expect(await stack.rest(id, 60_000)).toMatchObject({ status: 'completed', prLink: null });
    expect((await stack.call('GET', `/v2/agent/${stack.project.id}/job/${id}/diff`)).body).toBe('');
  }, 180_000);
});
