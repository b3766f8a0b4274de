import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { connectMcp, modernRequest, MODERN } from '../support/mcp-client.ts';
import { EDIT, edit, FINISH, THINKING } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const PLAN = {
  summary: 'The guide says second.',
  changes: [{ path: 'docs/guide.md', change: 'Say second.' }],
  questions: [],
};
const PROPOSE: ScriptedReply = { toolUses: [{ name: 'propose_plan', input: PLAN }] };
const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const ASKING = { ...TASKS, elicitation: { form: {} } };
const NAMES = [
  ...['create_job', 'get_job', 'send_message', 'list_jobs', 'get_diff', 'cancel_job'],
  ...['approve_job', 'decline_job'],
];

let stack: JobStack;
let url: string;
let script: ScriptedReply[] = [];
beforeAll(async () => {
  stack = await startJobStack({
    files: { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' },
    script: () => script.shift() ?? { text: 'Nothing more.' },
  });
  url = `${stack.baseUrl}/v2/agent/${stack.project.id}/mcp`;
});
afterAll(() => stack.close());

const task = (method: string, params: object, capabilities: object = ASKING) =>
  modernRequest(url, stack.adminKey, method, params as Record<string, unknown>, { capabilities });
const create = (args: object) => task('tools/call', { name: 'create_job', arguments: args });

/** Polls as a client does, until the task is no longer at work. */
async function settled(taskId: string): Promise<Record<string, unknown>> {
  for (;;) {
    const { result } = (await task('tasks/get', { taskId })).body;
    if (result?.['status'] !== 'working') return result!;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

describe.each(['legacy', { pin: MODERN }] as const)(
  'jobs over MCP, to a client of the era %j',
  mode => {
    it('are created, waited for, read, continued, listed', async () => {
      const client = await connectMcp(url, mode, stack.adminKey);
      const call = async (name: string, args: object) => {
        const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
        const [first] = result.content as unknown as [{ text: string }];
        return {
          text: first.text,
          isError: result.isError,
          ...(result.structuredContent as object),
        };
      };
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(NAMES);
      script = [EDIT, FINISH];
      const args = {
        prompt: 'Say second',
        idempotencyKey: JSON.stringify(mode).replaceAll('"', ''),
      };
      const made = (await call('create_job', args)) as unknown as { id: string };
      expect(made).toMatchObject({ status: 'active', outcome: null, waiting: null });
      expect(await call('create_job', args)).toMatchObject({ id: made.id });
      const done = await call('get_job', { id: made.id, waitSeconds: 60 });
      expect(done).toMatchObject({
        ...{
          status: 'completed',
          outcome: 'published',
          prLink: expect.stringContaining('/pulls/'),
        },
        text: expect.stringContaining('Pull request: http'),
      });
      expect(await call('get_diff', { id: made.id })).toMatchObject({
        ...{ truncated: false, diff: expect.stringContaining('+The second line.') },
      });
      script = [FINISH];
      expect(await call('send_message', { id: made.id, prompt: 'Once more' })).toMatchObject({
        status: 'active',
      });
      expect(await call('get_job', { id: made.id, waitSeconds: 60 })).toMatchObject({
        status: 'completed',
      });
      const listed = (await call('list_jobs', { limit: 1 })) as unknown as { jobs: object[] };
      expect(listed.jobs).toMatchObject([{ id: made.id, outcome: 'published' }]);
      for (const [name, given, sentence] of [
        ['get_job', { id: 'job_none' }, 'There is no such job.'],
        ['create_job', { prompt: ' ' }, /^prompt must be a string/],
        ['approve_job', { id: made.id }, 'The job does not wait for approval.'],
        ['list_jobs', { cursor: 'x' }, /^Invalid cursor/],
      ] as const)
        expect(await call(name, given)).toMatchObject({
          ...{ isError: true, text: expect.stringMatching(sentence) },
        });
      await client.close();
    });
  },
);

describe('a job as a task', () => {
  it('is a durable handle: at work, then completed with what create_job promises', async () => {
    script = [EDIT, FINISH];
    const { body } = await create({ prompt: 'Say second' });
    expect(body.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
    const taskId = String(body.result!['taskId']);
    expect(await stack.rest(taskId)).toMatchObject({ id: taskId });
    expect(await settled(taskId)).toMatchObject({
      ...{ resultType: 'complete', taskId, status: 'completed' },
      result: { structuredContent: { id: taskId, outcome: 'published' } },
    });
  });

  it('requires input while it waits for approval, and is approved or declined by it', async () => {
    for (const [decision, outcome] of [
      ['approve', 'published'],
      ['decline', 'answered'],
    ]) {
      script = [PROPOSE];
      const { body } = await create({ prompt: 'Say second', requirePlanApproval: true });
      const taskId = String(body.result!['taskId']);
      const waiting = await settled(taskId);
      expect(waiting).toMatchObject({
        status: 'input_required',
        inputRequests: {
          'approval-1': {
            method: 'elicitation/create',
            params: { mode: 'form', message: expect.stringContaining(PLAN.summary) },
          },
        },
      });
      const { result: quiet } = (await task('tasks/get', { taskId }, TASKS)).body;
      expect(quiet).toMatchObject({ status: 'input_required', inputRequests: {} });
      const stale = { 'approval-9': { action: 'accept', content: { decision: 'approve' } } };
      await task('tasks/update', { taskId, inputResponses: stale });
      expect(await settled(taskId)).toMatchObject({ status: 'input_required' });
      script = decision === 'approve' ? [EDIT, FINISH] : [];
      const given = { 'approval-1': { action: 'accept', content: { decision } } };
      const updated = await task('tasks/update', { taskId, inputResponses: given });
      expect([updated.status, updated.body.result]).toMatchObject([
        200,
        { resultType: 'complete' },
      ]);
      expect(await settled(taskId)).toMatchObject({
        ...{ status: 'completed', result: { structuredContent: { outcome } } },
      });
    }
  });

  it('hands on the answer to a question, once', async () => {
    script = [
      { toolUses: [{ name: 'ask', input: { question: 'Which?', options: ['first', 'third'] } }] },
    ];
    const taskId = String((await create({ prompt: 'Change it' })).body.result!['taskId']);
    const { inputRequests } = await settled(taskId);
    expect(inputRequests).toMatchObject({
      'answer-1': {
        params: {
          message: 'The agent asks: Which? (first / third)',
          requestedSchema: { properties: { answer: { enum: ['first', 'third'] } } },
        },
      },
    });
    script = [edit('first', 'third'), FINISH];
    const inputResponses = { 'answer-1': { action: 'accept', content: { answer: 'third' } } };
    await task('tasks/update', { taskId, inputResponses });
    expect(await settled(taskId)).toMatchObject({ status: 'completed' });
    expect(JSON.stringify(stack.model.requests.at(-1)!.body.messages)).toContain('third');
  });

  it('is cancelled, which the audit log names', async () => {
    script = [THINKING];
    const taskId = String((await create({ prompt: 'Wait' })).body.result!['taskId']);
    const cancelled = await task('tasks/cancel', { taskId });
    expect(cancelled.status).toBe(200);
    expect(await settled(taskId)).toMatchObject({ status: 'cancelled' });
    const { rows } = await stack.pool.query('select action from audit_log where subject_id = $1', [
      taskId,
    ]);
    expect(rows.map(row => (row as { action: string }).action)).toContain('job.cancelled');
  });

  it('is refused to who has not declared it, and to those of other ids', async () => {
    const bare = await task('tasks/get', { taskId: 'job_x' }, {});
    expect(bare.body.error?.code).toBe(-32_021);
    const none = await task('tasks/get', { taskId: 'job_none' });
    expect(none.body.error).toMatchObject({ code: -32_602, message: 'There is no such job.' });
  });
});

it('is no route for browsers of other origins', async () => {
  const from = (origin: string) =>
    modernRequest(url, stack.adminKey, 'tools/list', {}, { headers: { origin } });
  expect((await from('https://evil.test')).status).toBe(403);
  expect((await from(stack.baseUrl)).status).toBe(200);
});
