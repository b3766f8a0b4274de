import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { commitAs } from '../support/person.ts';
import { edit, FINISH } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const FILES = { 'docs/index.md': '---\ntitle: Welcome\n---\n\nThe first line.\n' };

let stack: JobStack;
let script: ScriptedReply[] = [];
beforeAll(async () => {
  stack = await startJobStack({
    files: FILES,
    script: () => script.shift() ?? { text: 'Nothing.' },
  });
});
afterAll(() => stack.close());

/** Creates a session through v1, reads its stream to the end, and returns the session. */
async function session(body: object): Promise<Record<string, unknown>> {
  const created = await stack.call('POST', `/v1/agent/${stack.project.id}/job`, {
    messages: [{ role: 'user', content: 'Change it' }],
    ...body,
  });
  expect(created.status).toBe(200);
  const id = created.headers.get('x-session-id') ?? '';
  return (await stack.call('GET', `/v1/agent/${stack.project.id}/job/${id}`)).body as Record<
    string,
    unknown
  >;
}

async function pullRequestOf(sessionId: unknown) {
  const { rows } = await stack.pool.query<{ head: string; draft: boolean; state: string }>(
    'select head, draft, state from local_pull_requests where job_id = $1',
    [sessionId],
  );
  return rows;
}

it('a session works on a branch that is there, upon what others have committed to it', async () => {
  stack.git('branch', 'feature/theirs', 'main');
  const theirs = commitAs(
    stack.repository,
    'feature/theirs',
    'docs/index.md',
    text => `${text}\nA line of theirs.\n`,
  );
  script = [edit('A line of theirs.', 'A line of ours.', 'docs/index.md'), FINISH];
  const { sessionId, branch, haultReason, pullRequestLink } = await session({
    branch: 'feature/theirs',
  });
  expect({ branch, haultReason, pullRequestLink }).toEqual({
    branch: 'feature/theirs',
    haultReason: 'completed',
    pullRequestLink: expect.any(String),
  });
  expect(await pullRequestOf(sessionId)).toEqual([
    { head: 'feature/theirs', draft: false, state: 'open' },
  ]);
  expect(stack.git('rev-parse', 'feature/theirs^').trim()).toBe(theirs);
  expect(stack.git('show', 'feature/theirs:docs/index.md')).toBe(
    `${FILES['docs/index.md']}\nA line of ours.\n`,
  );
});

it.each([true, 'true'])('asDraft: %j opens a draft', async asDraft => {
  script = [edit('first', 'second', 'docs/index.md'), FINISH];
  const { sessionId } = await session({ asDraft });
  expect(await pullRequestOf(sessionId)).toEqual([
    { head: expect.stringMatching(/^docent\/change-it-/), draft: true, state: 'open' },
  ]);
});

it('todos arrive with every status and priority', async () => {
  const todos = [
    { id: '1', content: 'Read', status: 'completed', priority: 'high' },
    { id: '2', content: 'Change', status: 'in_progress', priority: 'medium' },
    { id: '3', content: 'Check', status: 'pending', priority: 'medium' },
    { id: '4', content: 'Translate', status: 'cancelled', priority: 'low' },
  ];
  script = [
    { toolUses: [{ name: 'write_todos', input: { todos } }] },
    { text: 'Nothing to change.' },
  ];
  expect(await session({})).toMatchObject({
    haultReason: 'completed',
    pullRequestLink: null,
    todos,
  });
});
