import { type JobBody, type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const EDIT = edit('first', 'very first');
const FINISH = finish('Say very');
const uses = (name: string, input: object): ScriptedReply => ({ toolUses: [{ name, input }] });
const search = (pattern: string) => uses('search_text', { pattern });

describe('a model that misbehaves', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let played = 0;
  beforeAll(async () => {
    stack = await startJobStack({
      files: FILES,
      script: () => script[Math.min(played++, script.length - 1)] ?? { text: 'Nothing.' },
      env: { JOB_MAX_STEPS: '10', JOB_MAX_REPEATS: '3', MODEL_IDLE_TIMEOUT_SECONDS: '2' },
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

  it('an answer that fails or does not come is asked for again, and the job completes', async () => {
    const faults: ScriptedReply[] = [
      { status: 429, errorType: 'rate_limit_error', headers: { 'retry-after': '1' } },
      { status: 529, errorType: 'overloaded_error' },
      { status: 500, errorType: 'api_error' },
      { status: 0 }, // cut before the answer
      { text: 'Let me see what there is to be done here.', cutAfterEvents: 4 },
      { text: 'Let me see.', errorEventMidStream: { afterEvents: 3, type: 'overloaded_error' } },
      { text: 'Hm.', silentMs: 60_000 },
    ];
    const looks = Array.from({ length: faults.length - 2 }, (_, n) => search(`words ${n}`));
    const answers = [EDIT, ...looks, FINISH];
    const { job, requests } = await run(...faults.flatMap((fault, n) => [fault, answers[n]!]));
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    expect(requests).toBe(2 * faults.length);
    // What had come of an answer is paid for and stays; the model is told that it was cut off.
    const last = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
    expect(last.match(/Let me see/g)).toHaveLength(1);
    expect(last).toContain('cut off because the connection to the model’s server ended');
    expect(last).not.toContain('Hm.');
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

  it('what it gets wrong is told to it, and it goes on', async () => {
    const wrong: Record<string, ScriptedReply> = {
      'a tool that does not exist': uses('run_shell', { command: 'ls' }),
      'an editor command that does not exist': uses(EDITOR, {
        command: 'undo_edit',
        path: 'docs/guide.md',
      }),
      'input of the wrong shape': uses('search_text', { pattern: 7 }),
      'input that is no object': uses('check', []),
      'a path out of the tree': uses(EDITOR, {
        command: 'create',
        path: '../../etc/passwd',
        file_text: 'x',
      }),
      'an answer without content': { stopReason: 'end_turn' },
      'an answer cut at the output limit': { text: 'I will now', stopReason: 'max_tokens' },
    };
    const { job } = await run(...Object.values(wrong), EDIT, FINISH);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    const asked = stack.model.requests.slice(-Object.keys(wrong).length - 1, -1);
    const told = asked.map(({ body }) => JSON.stringify(body.messages.at(-1)));
    for (const [n, what] of Object.keys(wrong).entries())
      expect([what, told[n]]).toEqual([what, expect.stringMatching(/is_error|docent-note/)]);
  });

  it('ends in a clear failure when the same call is repeated for ever', async () => {
    const { job, message, requests } = await run(search('nothing'));
    expect(job.status).toBe('failed');
    expect(message).toContain('more than 3 times');
    expect(requests).toBe(4);
  });

  it('ends when the same edit is made and taken back for ever, and says so before', async () => {
    const turns = Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0 ? EDIT : edit('very first', 'first'),
    );
    const { job, message, requests } = await run(...turns);
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    expect(message).toContain('took them back more than 3 times');
    expect(requests).toBe(7);
    const told = stack.model.requests
      .slice(-7)
      .map(({ body }) => JSON.stringify(body.messages.at(-1)));
    expect(told.map(text => text.includes('You repeat what you did before'))).toEqual([
      ...[false, false, false, false, false, false],
      true,
    ]);
  });

  it('does not lose a page that it has not read', async () => {
    const create = uses(EDITOR, { command: 'create', path: 'guide.md', file_text: '# New\n' });
    const { job } = await run(
      create,
      uses('view_files', { files: [{ path: '/guide' }] }),
      create,
      create,
      FINISH,
    );
    const told = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
    expect(told.match(/which this job has not read/g)).toHaveLength(1);
    expect(told).toContain('Replaced docs/guide.md');
    expect(stack.git('show', `${job.source.ref}:docs/guide.md`)).toBe('# New\n');
  });

  it('shows the reviewer what an instruction in a page made it write', async () => {
    const { job } = await run(
      edit('The first line.', 'Run `npx acme-setup`, or write to help@acme-support.net.'),
      finish('Improve the guide'),
    );
    const { rows } = await stack.pool.query<{ body: string }>(
      'select body from publications where job_id = $1',
      [job.id],
    );
    expect(rows[0]?.body).toMatch(
      /\*\*Look at these before you merge\*\*\n\n- `docs\/guide\.md:7`: a new mail address, `help@acme-support\.net`\n- `docs\/guide\.md:7`: an install of `acme-setup`$/,
    );
  });

  it('knows a page that it has read and then moved', async () => {
    const { job } = await run(
      uses('view_files', { files: [{ path: 'docs/guide.md' }] }),
      uses('move_page', { from: '/guide.md', to: 'docs/start/first.md' }),
      uses('move_page', { from: 'docs/start/first.md', to: '/start/second' }),
      uses(EDITOR, { command: 'create', path: 'docs/start/second.md', file_text: '# New\n' }),
      FINISH,
    );
    const told = JSON.stringify(stack.model.requests.at(-1)!.body.messages);
    expect(told).toContain('Replaced docs/start/second.md');
    expect(stack.git('show', `${job.source.ref}:docs/start/second.md`)).toBe('# New\n');
  });

  it('goes on where edits that were taken back lead to others', async () => {
    const { job } = await run(
      EDIT,
      edit('very first', 'first'),
      edit('first', 'second'),
      edit('second', 'first'),
      EDIT,
      FINISH,
    );
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
  });

  it('ends at the limit of steps, keeps the edits, and a follow-up goes on from there', async () => {
    const { job, message } = await run(
      EDIT,
      ...Array.from({ length: 20 }, (_, n) => search(`p${n}`)),
    );
    expect(job).toMatchObject({ status: 'failed', prLink: null });
    expect(message).toContain('10 steps');
    const told = stack.model.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(told.slice(-10).map(text => text.includes('This turn has 5 steps left'))).toEqual(
      Array.from({ length: 10 }, (_, n) => n >= 5),
    );
    expect(told.at(-1)?.match(/steps left/g)).toHaveLength(1);
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
