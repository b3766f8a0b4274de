import { execFileSync } from 'node:child_process';
import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { testTemporal } from '../support/services.ts';
import { until } from '../support/until.ts';

export const FILES = {
  'docs/guide.md':
    '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n\nThe second line.\n\nThe third line.\n',
  'docs/other.md': '---\ntitle: Other\n---\n\n# Other\n\nSomething else.\n',
};
const todos = (content: string): ScriptedReply => ({
  toolUses: [
    {
      name: 'write_todos',
      input: { todos: [{ id: '1', content, status: 'pending', priority: 'high' }] },
    },
  ],
});

/** The workflow ignores it. */
export const NO_SIGNAL = 'look';

interface Message {
  type: string;
  text: string;
  state?: string;
  turn: number | null;
  status?: string;
}

/** Where jobs are taken back: `start` first. */
export function rewindStage(turnsInAHistory = '0') {
  let stack: JobStack;
  let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
  let played = 0;
  const play = (...replies: typeof script) => {
    script = replies;
    played = 0;
  };
  const path = (job: JobBody, rest: string) =>
    `/v2/agent/${stack.project.id}/job/${job.id}/${rest}`;
  return {
    play,
    path,
    async start(): Promise<JobStack> {
      return (stack = await startJobStack({
        files: FILES,
        script: () => script[played++] ?? { text: 'Nothing to do.' },
        env: { JOB_CONTINUE_AS_NEW_AFTER_TURNS: turnsInAHistory },
      }));
    },
    played: () => played,
    rewind: async (job: JobBody, body: object) => stack.call('POST', path(job, 'rewind'), body),
    reset: (job: JobBody, eventId: unknown, ...more: string[]) =>
      execFileSync(
        testTemporal().cliPath,
        [
          'workflow',
          'reset',
          '--address',
          testTemporal().address,
          '--workflow-id',
          job.id,
          '--reason',
          'test',
          '--event-id',
          String(eventId),
          ...more,
        ],
        { stdio: 'pipe' },
      ),
    messages: async (job: JobBody) =>
      (await stack.call('GET', path(job, 'messages'))).body as {
        messages: Message[];
        todos: { content: string }[];
      },
    diff: async (job: JobBody) => (await stack.call('GET', path(job, 'diff'))).body as string,
    show: (job: JobBody, file = 'docs/guide.md') => stack.git('show', `${job.source.ref}:${file}`),
    pulls: async (job: JobBody) =>
      (
        await stack.pool.query<{ title: string; body: string; state: string }>(
          'select title, body, state from local_pull_requests where head = $1',
          [job.source.ref],
        )
      ).rows,
    /** Waits until the model has been asked so often since the last `play`. */
    untilAsked: (times: number) =>
      until(`the model is asked ${times} times`, () => played === times),
    async publishedTwice(): Promise<JobBody> {
      play(todos('First'), edit('first', 'FIRST'), finish('Shout the first'));
      const created = await stack.create('Shout the first');
      await stack.rest(created.id);
      // A message sent before the workflow is idle would be part of the rest that tests reset to.
      const handle = stack.temporal.workflow.getHandle(created.id);
      const isIdle = async () => {
        const { raw } = await handle.describe();
        return !raw.pendingWorkflowTask && !raw.pendingActivities?.length;
      };
      await until('the workflow is idle', isIdle);
      // Its workflow task is a moment of rest in which nothing is written.
      await handle.signal(NO_SIGNAL);
      await until('the workflow is idle again', isIdle);
      play(
        todos('Second'),
        edit('second', 'SECOND'),
        edit('Something', 'SOMETHING', 'docs/other.md'),
        finish('Shout the second'),
      );
      await stack.message(created.id, 'Shout the second');
      return stack.rest(created.id);
    },
  };
}
