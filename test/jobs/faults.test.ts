import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const EDIT = edit('first', 'very first');
const FINISH = finish('Say very');

describe('a model that misbehaves', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: () => script[Math.min(played++, script.length - 1)] ?? { text: 'Nothing.' },
      env: { JOB_MAX_STEPS: '8', JOB_MAX_REPEATS: '3', MODEL_IDLE_TIMEOUT_SECONDS: '2' },
    });
  });
  afterAll(() => stack.close());

  async function run(
    ...replies: ScriptedReply[]
  ): Promise<{ job: JobBody; message: string; requests: number }> {
    script = replies;
    played = 0;
    const created = await stack.create('Say very first');
    const job = await stack.rest(created.id);
    const { rows } = await stack.pool.query<{ message_to_user: string }>(
      'select message_to_user from jobs where id = $1',
      [job.id],
    );
    return { job, message: rows[0]?.message_to_user ?? '', requests: played };
  }

  it.each<[string, ScriptedReply]>([
    [
      '429 with Retry-After',
      { status: 429, errorType: 'rate_limit_error', headers: { 'retry-after': '1' } },
    ],
    ['529', { status: 529, errorType: 'overloaded_error' }],
    ['500', { status: 500, errorType: 'api_error' }],
    ['a connection cut before the answer', { status: 0 }],
    [
      'a connection cut in mid-answer',
      { text: 'Let me see what there is to be done here.', cutAfterEvents: 4 },
    ],
    [
      'an error event in mid-stream',
      { text: 'Let me see.', errorEventMidStream: { afterEvents: 3, type: 'overloaded_error' } },
    ],
    ['a stream that falls silent after its first event', { text: 'Hm.', silentMs: 60_000 }],
  ])('%s is tried again, and the job completes', async (_, fault) => {
    const { job, requests } = await run(fault, EDIT, FINISH);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(requests).toBe(3);
  });

  it.each<[string, ScriptedReply, RegExp]>([
    [
      '400',
      { status: 400, errorType: 'invalid_request_error', message: 'messages.0: too long' },
      /refused the request.*400.*too long/,
    ],
    ['401', { status: 401, errorType: 'authentication_error' }, /ANTHROPIC_API_KEY/],
    ['403', { status: 403, errorType: 'permission_error' }, /ANTHROPIC_API_KEY/],
    ['404', { status: 404, errorType: 'not_found_error' }, /refused the request/],
    ['413', { status: 413, errorType: 'request_too_large' }, /refused the request/],
  ])('%s fails the job at once, with a sentence', async (_, fault, sentence) => {
    const { job, message, requests } = await run(fault);
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    expect(message).toMatch(sentence);
    expect(requests).toBe(1);
  });

  it.each<[string, ScriptedReply]>([
    ['a tool that does not exist', { toolUses: [{ name: 'run_shell', input: { command: 'ls' } }] }],
    [
      'an editor command that does not exist',
      { toolUses: [{ name: EDITOR, input: { command: 'undo_edit', path: 'docs/guide.md' } }] },
    ],
    ['input of the wrong shape', { toolUses: [{ name: 'search_text', input: { pattern: 7 } }] }],
    ['input that is no object', { toolUses: [{ name: 'check', input: [] }] }],
    [
      'a path out of the tree',
      {
        toolUses: [
          { name: EDITOR, input: { command: 'create', path: '../../etc/passwd', file_text: 'x' } },
        ],
      },
    ],
    ['an answer without content', { stopReason: 'end_turn' }],
    ['an answer cut at the output limit', { text: 'I will now', stopReason: 'max_tokens' }],
  ])('%s is told to the model, which goes on', async (_, reply) => {
    const { job } = await run(reply, EDIT, FINISH);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    const told = JSON.stringify(stack.model.requests.at(-2)?.body.messages.at(-1));
    expect(told).toMatch(/is_error|docent-note/);
  });

  it('ends in a clear failure when the same call is repeated for ever', async () => {
    const { job, message, requests } = await run({
      toolUses: [{ name: 'search_text', input: { pattern: 'nothing' } }],
    });
    expect(job.status).toBe('failed');
    expect(message).toContain('more than 3 times');
    expect(requests).toBe(4);
  });

  it('ends at the limit of steps, keeps the edits, and a follow-up goes on from there', async () => {
    let n = 0;
    script = [];
    const { job, message } = await run(
      EDIT,
      ...Array.from({ length: 20 }, (): ScriptedReply => ({
        toolUses: [{ name: 'search_text', input: { pattern: `p${n++}` } }],
      })),
    );
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    expect(message).toContain('8 steps');
    script = [FINISH];
    played = 0;
    await stack.message(job.id, 'Publish what you have');
    const after = await stack.rest(job.id);
    expect(after).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(stack.git('show', `${after.source.ref}:docs/guide.md`)).toContain('very first');
  });

  it('ends with what the model said when it answers nothing but nothing', async () => {
    const { job, message } = await run({ stopReason: 'end_turn' });
    expect(job.status).toBe('failed');
    expect(message).toContain('empty answers');
  });

  it('says what a refusal was', async () => {
    const { job, message } = await run({ text: 'I cannot help with that.', stopReason: 'refusal' });
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    expect(message).toContain('declined');
  });

  it('repairs what it broke before it publishes', async () => {
    const link = (to: string): ScriptedReply =>
      to === 'guide'
        ? edit('(missing.md)', '(guide.md)')
        : edit('The first line.', '[see](missing.md)');
    const { job, requests } = await run(link('missing'), FINISH, link('guide'), FINISH);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(requests).toBe(4);
    expect(stack.git('show', `${job.source.ref}:docs/guide.md`)).toContain('[see](guide.md)');
  });

  it('names in the pull request what it could not repair', async () => {
    const { job } = await run(edit('The first line.', '[see](missing.md)'), FINISH);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    const { rows } = await stack.pool.query<{ body: string }>(
      'select body from local_pull_requests where head = $1',
      [job.source.ref],
    );
    expect(rows[0]?.body).toContain('missing.md');
  });
});
