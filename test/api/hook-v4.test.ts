import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

/**
 * The pinned SDK of the conformance kit, which lies beside the checkout where it is; without it
 * this test is skipped, which its name says.
 */
const KIT = join(import.meta.dirname, '../../../shared/conformance/chat-sdk/majors/v4');
const run = promisify(execFile);

/** Installs the SDK once a lock file. */
async function installed(): Promise<string> {
  const hash = createHash('sha256')
    .update(readFileSync(join(KIT, 'package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const folder = join(tmpdir(), `docent-chat-sdk-4-${hash}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await cp(KIT, draft, { recursive: true });
  await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--engine-strict=false'], {
    cwd: draft,
  });
  await rename(draft, folder);
  return folder;
}

const script: ScriptedReply[] = [
  {
    toolUses: [
      {
        name: 'write_todos',
        input: { todos: [{ id: '1', content: 'Change it', status: 'completed', priority: 'low' }] },
      },
    ],
  },
  {
    text: 'Changing it.',
    toolUses: [
      {
        name: 'str_replace_based_edit_tool',
        input: {
          command: 'str_replace',
          path: 'docs/index.md',
          old_str: 'first',
          new_str: 'second',
        },
      },
    ],
  },
  {
    toolUses: [
      {
        name: 'finish',
        input: { title: 'Change the line', body: 'As asked.', message: 'The line is changed.' },
      },
    ],
  },
];

(existsSync(KIT) ? describe : describe.skip)(
  'the hook of chat SDK 4 (skipped where ../shared/conformance is not)',
  () => {
    let stack: JobStack;
    let sdk: string;
    beforeAll(async () => {
      sdk = await installed();
      let played = 0;
      stack = await startJobStack({
        files: { 'docs/index.md': '---\ntitle: Welcome\n---\n\nThe first line.\n' },
        script: () => script[played++] ?? { text: 'Nothing.' },
      });
    }, 180_000);
    afterAll(() => stack.close());

    it('reads a v1 create to its end: text, tools, todos, finish; and sends nothing again', async () => {
      const api = `${stack.baseUrl}/v1/agent/${stack.project.id}/job`;
      const { stdout } = await run('node', [
        join(import.meta.dirname, 'hook-v4.mjs'),
        join(sdk, 'sdk.mjs'),
        api,
        stack.adminKey,
      ]);
      const seen = JSON.parse(stdout);
      expect(seen).toMatchObject({
        errors: [],
        requests: 1,
        status: 'ready',
        finishReason: 'stop',
      });
      expect(seen.message.content).toContain('Changing it.');
      expect(seen.message.content).toContain('The line is changed.');
      const tools = seen.message.parts
        .filter((part: { type: string }) => part.type === 'tool-invocation')
        .map(
          (part: { toolInvocation: { toolName: string; state: string } }) => part.toolInvocation,
        );
      expect(tools.map(({ toolName }: { toolName: string }) => toolName)).toEqual(
        expect.arrayContaining(['write_todos', 'finish']),
      );
      for (const { state } of tools) expect(state).toBe('result');
      expect(seen.data.map(({ type }: { type: string }) => type)).toEqual(
        expect.arrayContaining([
          'status',
          'instruction',
          'todos',
          'event',
          'pull_request',
          'finish',
        ]),
      );
      expect((await stack.pool.query('select count(*) from jobs')).rows[0].count).toBe(1);
    });
  },
);
