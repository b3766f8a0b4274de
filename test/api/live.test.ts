import { pino } from 'pino';
import type { Conversation } from '../../shared/jobs/conversation.ts';
import { createKey, revokeKey } from '../../db/projects/keys.ts';
import { sweepJobs } from '../../jobs/sweep/job-sweeper.ts';
import type { JobEvent } from '../../shared/jobs/job.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';

const FILES = { 'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nThe first line.\n' };
const TODOS = [{ id: '1', content: 'Change the line', status: 'in_progress', priority: 'high' }];

const edit = (from: string, to: string): ScriptedReply => ({
  text: `Replacing ${from}.`,
  toolUses: [
    {
      name: 'str_replace_based_edit_tool',
      input: { command: 'str_replace', path: 'docs/index.md', old_str: from, new_str: to },
    },
  ],
});
const todos: ScriptedReply = { toolUses: [{ name: 'write_todos', input: { todos: TODOS } }] };
const finish = (title: string): ScriptedReply => ({
  toolUses: [{ name: 'finish', input: { title, body: `${title}.`, message: `${title}: done.` } }],
});

let stack: JobStack;
let v1: string;
let v2: string;
let script: (ScriptedReply | Promise<ScriptedReply>)[] = [];
let played = 0;
beforeAll(async () => {
  stack = await startJobStack({
    files: FILES,
    script: () => script[played++] ?? { text: 'Nothing to do.' },
  });
  v1 = `${stack.baseUrl}/v1/agent/${stack.project.id}`;
  v2 = `${stack.baseUrl}/v2/agent/${stack.project.id}`;
});
afterAll(() => stack.close());

/** A line of the data stream: text, or an object, or an array of data parts. */
type Part = string & { toolCallId: string } & { type: string; id: number }[];

const play = (...replies: typeof script) => {
  script = replies;
  played = 0;
};
const headers = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${stack.adminKey}`,
  'content-type': 'application/json',
  ...more,
});

/** Reads a job's events to the end of the stream, or until `enough`. */
async function events(
  id: string,
  after = 0,
  enough: (event: JobEvent) => boolean = () => false,
): Promise<{ seq: number; event: JobEvent }[]> {
  const response = await fetch(`${v2}/job/${id}/events`, {
    headers: headers({ 'last-event-id': String(after) }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const read: { seq: number; event: JobEvent }[] = [];
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const frames = text.split('\n\n');
    text = frames.pop()!;
    for (const frame of frames) {
      const [, seq, data] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
      if (data) read.push({ seq: Number(seq), event: JSON.parse(data) });
      if (data && enough(read.at(-1)!.event)) return read; // leaving the loop hangs up
    }
  }
  return read;
}

describe('progress events', () => {
  it('tell the whole story live, numbered without gaps, and end when the job rests', async () => {
    play(todos, edit('first', 'second'), finish('Change the line'));
    const { id } = await stack.create('Change the line');
    const story = await events(id);
    expect(story.map(({ seq }) => seq)).toEqual(story.map((_, i) => i + 1));
    const types = story.map(({ event }) => event.type);
    for (const type of [
      'status',
      'instruction',
      'todos',
      'text',
      'tool_call',
      'tool_result',
      'commit',
      'pull_request',
      'finish',
    ])
      expect(types).toContain(type);
    expect(types.at(-1)).toBe('finish');
    expect((await stack.job(id)).status).toBe('completed');
    // Whoever comes later reads the same, whole or from any number on.
    expect(await events(id)).toEqual(story);
    expect(await events(id, 4)).toEqual(story.slice(4));
    expect(await events(id, 10_000)).toEqual([]);
  });

  it('go on from where a reader left, across a follow-up: no line lost, none twice', async () => {
    play(
      { ...(edit('second', 'third') as object), delayMs: 300 },
      finish('Once more'),
      edit('third', 'fourth'),
      finish('And again'),
    );
    const { id } = await stack.create('Once more');
    const first = await events(id, 0, ({ type }) => type === 'tool_call');
    const second = await events(id, first.at(-1)!.seq);
    await stack.message(id, 'And again');
    const third = await events(id, second.at(-1)!.seq);
    const all = [...first, ...second, ...third];
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
    expect(await events(id)).toEqual(all);
    expect(third.find(({ event }) => event.type === 'instruction')?.event).toMatchObject({
      prompt: 'And again',
      turn: 2,
    });
  });

  it('carry the text of a running model call in passing, for those who ask', async () => {
    const text = 'One sentence after another. '.repeat(400);
    play({ text });
    const { id } = await stack.create('Talk');
    const response = await fetch(`${v2}/job/${id}/events?deltas=true`, { headers: headers() });
    const frames = (await response.text()).split('\n\n');
    const deltas = frames
      .filter(frame => frame.startsWith('event: text_delta\n'))
      .map(frame => JSON.parse(frame.split('\ndata: ')[1]!));
    expect(deltas.length).toBeGreaterThan(0);
    expect(deltas[0]).toEqual({
      type: 'text_delta',
      text: expect.any(String),
      tokens: expect.any(Number),
      turn: 1,
      step: 1,
      attempt: 1,
    });
    expect(text).toContain(deltas[0].text); // whoever comes while the model speaks misses the beginning
    expect((await events(id)).map(({ event }) => event.type)).not.toContain('text_delta');
  });

  it('end for a key that is revoked meanwhile, in both generations, and for no other', async () => {
    play({ text: 'Slow.', silentMs: 60_000 });
    const { token, key } = await createKey(stack.pool, {
      organizationId: stack.project.organizationId,
      kind: 'admin',
      name: 'to be revoked',
    });
    const revoked = { headers: headers({ authorization: `Bearer ${token}` }) };
    const created = await fetch(`${v1}/job`, {
      ...revoked,
      method: 'POST',
      body: JSON.stringify({
        branch: 'slow',
        messages: [{ role: 'user', content: 'Take your time' }],
      }),
    });
    const id = created.headers.get('x-session-id')!;
    const [theirs, ours] = [
      await fetch(`${v2}/job/${id}/events`, revoked),
      await fetch(`${v2}/job/${id}/events`, { headers: headers() }),
    ];
    let left = false;
    const stays = ours.text().then(() => {
      left = true;
    });
    await revokeKey(stack.pool, stack.project.organizationId, key.id);
    await Promise.all([created.text(), theirs.text()]);
    expect([left, (await stack.job(id)).status]).toEqual([false, 'active']);
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/cancel`);
    await stays;
  });

  it('refuse a position that is no number of an event', async () => {
    const { id } = await stack.rest((await stack.create('Nothing')).id);
    const after = (position: string) =>
      fetch(`${v2}/job/${id}/events`, { headers: headers({ 'last-event-id': position }) });
    for (const position of ['x', '-1', '9007199254740992', '6688201199349418125049200640'])
      expect([position, (await after(position)).status]).toEqual([position, 400]);
    const last = await after(String(Number.MAX_SAFE_INTEGER));
    expect([last.status, await last.text()]).toEqual([200, expect.not.stringContaining('id:')]);
  });
});

describe('the conversation', () => {
  it('holds what was asked, said and done, with todos and usage', async () => {
    play(todos, { text: 'Which line do you mean?' }, { text: 'I see.' });
    const { id } = await stack.create('Change a line');
    await stack.rest(id);
    await stack.message(id, 'The first one');
    await stack.rest(id);
    const { body } = (await stack.call(
      'GET',
      `/v2/agent/${stack.project.id}/job/${id}/messages`,
    )) as { body: Conversation };
    expect(body.messages.map(item => [item.type, item.turn, item.text])).toEqual([
      ['instruction', 1, 'Change a line'],
      ['text', 1, 'Which line do you mean?'],
      ['outcome', 1, 'Which line do you mean?'],
      ['instruction', 2, 'The first one'],
      ['text', 2, 'I see.'],
      ['outcome', 2, 'I see.'],
    ]);
    expect((body.messages[0] as { state: string }).state).toBe('taken');
    expect(body.messages[2]).toMatchObject({ status: 'completed', prLink: null, findings: [] });
    expect(body.todos).toEqual(TODOS);
    expect(
      body.usage.inputTokens + body.usage.cacheReadTokens + body.usage.cacheWriteTokens,
    ).toBeGreaterThan(0);
    expect(body.usage.outputTokens).toBeGreaterThan(0);
  });

  it('lists instructions in the order in which the agent read them, signals among them', async () => {
    let answer = (_reply: ScriptedReply) => {};
    play(
      new Promise(resolve => {
        answer = resolve;
      }),
      finish('Count on'),
      { text: 'One.' },
      { text: 'Two.' },
    );
    const { id } = await stack.create('Count on');
    await until('the first turn has begun', () => played === 1); // it looks for stored messages
    await stack.temporal.workflow.getHandle(id).signal('message', { prompt: 'FIRST' });
    await stack.message(id, 'SECOND');
    answer(edit('first', 'fifth'));
    await stack.rest(id);
    const asked = (await events(id)).flatMap(({ event }) =>
      event.type === 'instruction' ? [event.prompt] : [],
    );
    expect(asked).toEqual(['Count on', 'FIRST', 'SECOND']);
    const { body } = (await stack.call(
      'GET',
      `/v2/agent/${stack.project.id}/job/${id}/messages`,
    )) as { body: Conversation };
    expect(body.messages.flatMap(item => (item.type === 'instruction' ? [item.text] : []))).toEqual(
      asked,
    );
    const stored = (
      await stack.pool.query<{ prompt: string }>(
        'select prompt from instructions where job_id = $1 order by seq',
        [id],
      )
    ).rows.map(({ prompt }) => prompt);
    expect(stored).toEqual(['Count on', 'SECOND', 'FIRST']); // the rows alone would say otherwise
  });
});

describe('a follow-up whose process died before it could signal', () => {
  it('is delivered by the sweeper, once', async () => {
    play({ text: 'First.' }, { text: 'Second.' });
    const { id } = await stack.create('Talk');
    await stack.rest(id);
    await stack.pool.query(
      `insert into instructions (job_id, message_id, prompt, source, created_at)
       values ($1, 'msg_lost', 'Go on', 'api', now() - interval '2 minutes')`,
      [id],
    );
    await stack.pool.query(
      `update jobs set state = 'active', updated_at = now() - interval '2 minutes' where id = $1`,
      [id],
    );
    const { config, pool, temporal } = stack;
    const sweep = () => sweepJobs({ config, pool, temporal, log: pino({ level: 'silent' }) });
    await sweep();
    expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
    await sweep();
    const story = await events(id);
    expect(
      story
        .filter(({ event }) => event.type === 'instruction')
        .map(({ event }) => (event as { prompt: string }).prompt),
    ).toEqual(['Talk', 'Go on']);
    const states = 'select state from instructions where job_id = $1 order by seq';
    expect((await pool.query(states, [id])).rows).toEqual([{ state: 'taken' }, { state: 'taken' }]);
  });
});

describe('cancel and archive', () => {
  it('end the running turn: failed, nothing published, diff kept; then it can be archived', async () => {
    play(edit('Welcome\n\n', 'Hello\n\n'), { text: 'slow', delayMs: 20_000 });
    const { id } = await stack.create('Say hello');
    await events(id, 0, ({ type }) => type === 'tool_result');
    const cancelled = await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/cancel`);
    expect(cancelled.body).toMatchObject({ id, status: 'failed', prLink: null });
    expect(
      (await stack.call('GET', `/v2/agent/${stack.project.id}/job/${id}/diff`)).body,
    ).toContain('+# Hello');
    const archived = await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/archive`);
    expect(archived.body).toMatchObject({ status: 'failed', archivedAt: expect.any(String) });
    expect(
      (await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/message`, { prompt: 'x' }))
        .status,
    ).toBe(409);
  });
});

describe('agent v1', () => {
  it('streams a session in the data stream of version 4, and shows it afterwards', async () => {
    play(todos, edit('# Welcome', '# Well come'), finish('Split the word'));
    const response = await fetch(`${v1}/job`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Split the word', parts: [] },
        ],
        asDraft: 'true',
      }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-vercel-ai-data-stream')).toBe('v1');
    expect(response.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(response.headers.get('link')).toBe(
      `</v2/agent/${stack.project.id}/job>; rel="successor-version"`,
    );
    expect(response.headers.get('sunset')).toBeNull();
    const sessionId = response.headers.get('x-session-id')!;
    expect(response.headers.get('x-branch-name')).toMatch(/^docent\/split-the-word-/);

    const lines = (await response.text())
      .split('\n')
      .filter(Boolean)
      .map(line => [line[0], JSON.parse(line.slice(2))] as [string, Part]);
    const calls = lines.filter(([code]) => code === '9').map(([, value]) => value.toolCallId);
    expect(lines.filter(([code]) => code === 'a').map(([, value]) => value.toolCallId)).toEqual(
      calls,
    );
    expect(
      lines
        .filter(([code]) => code === '0')
        .map(([, value]) => value)
        .join('\n'),
    ).toContain('Replacing # Welcome.');
    expect(lines.filter(([code]) => code === '2').flatMap(([, value]) => value)).toContainEqual({
      type: 'todos',
      todos: TODOS,
    });
    expect(lines.at(-1)).toEqual([
      'd',
      {
        finishReason: 'stop',
        usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
      },
    ]);
    // The outcome is a step of its own, without tools.
    const lastStep = lines.slice(lines.findLastIndex(([code]) => code === 'f'));
    expect(lastStep.filter(([code]) => code === '9' || code === 'a')).toEqual([]);
    // Every position is one from which the events endpoint goes on without a gap.
    const positions = lines
      .filter(([code, value]) => code === '2' && value[0]!.type === 'event')
      .map(([, value]) => value[0]!.id);
    expect(positions.length).toBe(lines.filter(([code]) => code === 'e').length);
    const story = await events(sessionId);
    expect(positions.at(-1)).toBe(story.length);

    const session = await stack.call('GET', `/v1/agent/${stack.project.id}/job/${sessionId}`);
    expect(session.body).toEqual({
      sessionId,
      subdomain: 'acme',
      branch: response.headers.get('x-branch-name'),
      haulted: true,
      haultReason: 'completed',
      pullRequestLink: expect.stringContaining('/pulls/'),
      messageToUser: 'Split the word: done.',
      todos: TODOS,
      userId: null,
      title: 'Split the word',
      createdAt: expect.any(String),
    });
    const { rows } = await stack.pool.query(
      'select as_draft, generation, model from jobs where id = $1',
      [sessionId],
    );
    expect(rows[0]).toMatchObject({ as_draft: true, generation: 'v1' });
    const list = await stack.call('GET', `/v1/agent/${stack.project.id}/jobs`);
    const { allSessions } = list.body as {
      allSessions: { sessionId: string; createdAt: string }[];
    };
    expect(allSessions[0]!.sessionId).toBe(sessionId);
    expect(allSessions.length).toBeGreaterThan(3);
    const page = await stack.call('GET', `/v1/agent/${stack.project.id}/jobs?skip=1&take=1`);
    expect(page.body).toEqual({ allSessions: [allSessions[1]] });
  });

  it('writes no step starts for clients that would throw at them', async () => {
    play({ text: 'Nothing to change.' });
    const response = await fetch(`${v1}/job`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Look' }] }),
    });
    const text = await response.text();
    expect(text).not.toMatch(/^f:/m);
    expect(text.match(/Nothing to change\./g)!.length).toBeGreaterThanOrEqual(1);
    expect(text.split('\n').filter(line => line.startsWith('0:'))).toEqual([
      '0:"Nothing to change."',
    ]);
  });

  it('goes on when the client goes away', async () => {
    let answer = (_reply: ScriptedReply) => {};
    play(
      new Promise(resolve => {
        answer = resolve;
      }),
    );
    const controller = new AbortController();
    const response = await fetch(`${v1}/job`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Look' }] }),
      signal: controller.signal,
    });
    const id = response.headers.get('x-session-id')!;
    controller.abort();
    answer({ text: 'Slow.' });
    expect((await stack.rest(id)).status).toBe('completed');
  });

  it.each([
    [{}, 'messages is required and must be an array of 1 to 200 items.'],
    [{ messages: [] }, 'messages must be an array of 1 to 200 items.'],
    [
      { messages: [{ role: 'tool', content: 'x' }] },
      'messages[0].role must be "user" or "assistant" or "system".',
    ],
    [
      { messages: [{ role: 'user' }] },
      'messages[0].content is required and must be a string of at most 100000 characters.',
    ],
    [
      { messages: [{ role: 'system', content: 'x' }] },
      'messages must contain at least one message of role user with content.',
    ],
    [
      { messages: [{ role: 'user', content: ' ' }] },
      'messages must contain at least one message of role user with content.',
    ],
    [
      { messages: [{ role: 'user', content: 'x' }], asDraft: 'yes' },
      'asDraft must be true or false or "true" or "false".',
    ],
    [
      { messages: [{ role: 'user', content: 'x' }], branch: 'main' },
      'branch is the base, the default or a protected branch of the repository; the agent works on a branch of its own.',
    ],
  ])('refuses %j', async (body, sentence) => {
    const response = await fetch(`${v1}/job`, {
      method: 'POST',
      headers: headers(),
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('deprecation')).not.toBeNull();
    expect(await response.json()).toMatchObject({ error: sentence });
  });
});
