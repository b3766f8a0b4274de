import { signalMessage } from '../../jobs/workflow-client.ts';
import { insertInstruction } from '../../db/jobs/instructions.ts';
import { transaction } from '../../db/pool.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { slowly } from '../support/slow.ts';

const EDITOR = 'str_replace_based_edit_tool';
const FILES = { 'docs/numbers.md': '---\ntitle: Numbers\n---\n\n# Numbers\n\nend\n' };

/** Appends every number that was asked for and is not in the page yet, one call at a time. */
function appender(request: MessagesRequest): ScriptedReply {
  const blocks = request.messages.flatMap(message =>
    typeof message.content === 'string'
      ? []
      : (message.content as {
          type: string;
          text?: string;
          name?: string;
          input?: { old_str?: string; new_str?: string };
        }[]),
  );
  const asked = blocks.flatMap(block =>
    block.type === 'text' && block.text
      ? [...(/^append (\d+)$/.exec(block.text.trim())?.slice(1) ?? [])]
      : [],
  );
  const done = blocks.flatMap(block =>
    block.type === 'tool_use' && block.name === EDITOR
      ? ((block.input?.new_str ?? '').match(/\d+/g) ?? [])
      : [],
  );
  const next = asked.filter(number => !done.includes(number));
  if (next.length > 0)
    return {
      toolUses: [
        {
          name: EDITOR,
          input: {
            command: 'str_replace',
            path: 'docs/numbers.md',
            old_str: 'end',
            new_str: `${next.join('\n')}\nend`,
          },
        },
      ],
    };
  return {
    toolUses: [
      {
        name: 'finish',
        input: { title: 'Append numbers', body: `Up to ${asked.at(-1)}.`, message: 'Appended.' },
      },
    ],
  };
}

describe.each([
  ['one history', '0'],
  ['continue-as-new after every turn', '1'],
])('50 follow-ups at once, %s', (_, turns) => {
  let stack: JobStack;
  let answering = Promise.resolve();
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: async request => answering.then(() => appender(request)),
      env: { JOB_CONTINUE_AS_NEW_AFTER_TURNS: turns },
    });
  });
  afterAll(() => stack.close());

  it('keeps every one, in order, in one pull request', async () => {
    const created = await stack.create('append 0');
    for (let i = 1; i <= 10; i++) await stack.message(created.id, `append ${i}`);
    await stack.rest(created.id);
    // Sent side by side, they are stored in some order of their own: the page must hold that one.
    await Promise.all(
      Array.from({ length: 40 }, (_unused, i) => stack.message(created.id, `append ${i + 11}`)),
    );
    const job = await stack.rest(created.id, 60_000);
    expect(job.status).toBe('completed');
    const page =
      stack
        .git('show', `${job.source.ref}:docs/numbers.md`)
        .split('# Numbers')[1]
        ?.match(/\d+/g)
        ?.map(Number) ?? [];
    const { rows } = await stack.pool.query<{ prompt: string; state: string }>(
      'select prompt, state from instructions where job_id = $1 order by seq',
      [job.id],
    );
    expect(rows.every(row => row.state === 'taken')).toBe(true);
    expect([...page].sort((a, b) => a - b)).toEqual(Array.from({ length: 51 }, (_unused, i) => i));
    expect(page.slice(0, 11)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const {
      rows: [pulls],
    } = await stack.pool.query<{ count: number }>('select count(*) from local_pull_requests');
    expect(pulls?.count).toBe(1);
  }, 120_000);

  it('reads those whose signals overtake each other in the order in which they were stored', async () => {
    let answer = () => {};
    answering = new Promise(resolve => {
      answer = resolve;
    });
    const asked = stack.model.requests.length;
    const { id } = await stack.create('append 0');
    await until('the model is asked', () => stack.model.requests.length > asked);
    for (const i of [1, 2, 4, 5])
      await transaction(stack.pool, tx =>
        insertInstruction(tx, { jobId: id, messageId: `msg_${id}_${i}`, prompt: `append ${i}` }),
      );
    const signal = (i: number) =>
      signalMessage(stack.temporal, id, `msg_${id}_${i}`, `append ${i}`);
    await signal(2);
    await signal(1);
    await stack.temporal.workflow.getHandle(id).signal('message', { prompt: 'append 3' }); // a script's has no row yet
    await signal(5);
    await signal(4);
    answer();
    const job = await stack.rest(id);
    expect(stack.git('show', `${job.source.ref}:docs/numbers.md`)).toContain(
      '\n0\n1\n2\n3\n4\n5\nend',
    );
  }, 60_000);

  slowly(
    'takes them in the order of the signals, when one caller sends them one after another',
    async () => {
      const created = await stack.create('append 0');
      const handle = stack.temporal.workflow.getHandle(created.id);
      for (let i = 1; i <= 50; i++) await handle.signal('message', { prompt: `append ${i}` });
      let job = await stack.rest(created.id, 60_000);
      for (
        let i = 0;
        i < 50 && !stack.git('show', `${job.source.ref}:docs/numbers.md`).includes('\n50\n');
        i++
      ) {
        await new Promise(resolve => setTimeout(resolve, 200));
        job = await stack.rest(created.id, 60_000);
      }
      const page = stack
        .git('show', `${job.source.ref}:docs/numbers.md`)
        .split('# Numbers')[1]
        ?.match(/\d+/g)
        ?.map(Number);
      expect(page).toEqual(Array.from({ length: 51 }, (_unused, i) => i));
    },
    120_000,
  );
});
