import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkWorker } from '../../support/fork-worker.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { type GitHubJobStack, startGitHubJobStack } from './job-stack.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const TURN: ScriptedReply[] = [
  {
    toolUses: [
      {
        name: 'str_replace_based_edit_tool',
        input: {
          command: 'str_replace',
          path: 'docs/guide.md',
          old_str: 'The first line.',
          new_str: 'A line.',
        },
      },
    ],
  },
  {
    toolUses: [
      { name: 'finish', input: { title: 'Change the line', body: 'As asked.', message: 'Done.' } },
    ],
  },
];

const KILLS = [
  ['once the push has arrived', 'push:effect'],
  ['between push and pull request', 'push:after'],
  ['between the pull request and its recording', 'openPullRequest:effect'],
] as const;

describe('a worker killed while it publishes to GitHub', () => {
  let stack: GitHubJobStack;
  beforeAll(async () => {
    const script = (request: { messages: { role: string }[] }): ScriptedReply =>
      TURN[request.messages.filter(message => message.role === 'assistant').length] ?? {
        text: 'Done.',
      };
    stack = await startGitHubJobStack({
      files: FILES,
      script,
      noWorker: true,
      env: { ACTIVITY_HEARTBEAT_SECONDS: '1' },
    });
  });
  afterAll(() => stack.close());

  it.each(KILLS)(
    '%s: one commit, one pull request',
    async (_, killAt) => {
      const marker = join(mkdtempSync(join(tmpdir(), 'docent-kill-')), 'killed');
      const first = await spawn(killAt, marker);
      const created = await stack.create('Change the line');
      await once(first, 'exit');
      const second = await spawn('', marker);
      const job = await stack.rest(created.id);
      second.kill('SIGKILL');
      expect(existsSync(marker)).toBe(true);
      const pulls = stack.repositoryOnGitHub.pulls.filter(pull => pull.head === job.source.ref);
      expect(pulls).toHaveLength(1);
      expect(job).toMatchObject({
        status: 'completed',
        prLink: `${stack.github.webUrl}/acme/docs/pull/${pulls[0]?.number}`,
      });
      expect(
        stack.github
          .git(stack.repositoryOnGitHub, 'rev-list', '--count', `main..${job.source.ref}`)
          .trim(),
      ).toBe('1');
    },
    60_000,
  );

  async function spawn(killAt: string, marker: string): Promise<ChildProcess> {
    return (await forkWorker(stack, { KILL_AT: killAt, KILL_MARKER: marker })).child;
  }
});
