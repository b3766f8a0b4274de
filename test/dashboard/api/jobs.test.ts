import type { Conversation } from '../../../shared/jobs/conversation.ts';
import type {
  Diff,
  Job,
  JobDetail,
  JobList,
  PullRequest,
  PullRequestDetail,
  PullRequestList,
  StepResults,
} from '../../../api/dashboard/contract/jobs.ts';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import type { JobEvent, TimedEvent } from '../../../shared/jobs/job.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { until } from '../../support/until.ts';
import { invite, PASSWORD } from './harness.ts';
import { edit, finish } from './scripted-replies.ts';
import { entriesLike, withoutAudit } from './audit-entries.ts';

const FILES = {
  'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nThe first line.\n\nThe second line.\n',
};
let stack: JobStack;
let session: Session;
type As = 'owner' | 'member' | 'viewer';
let cookies: Record<As, string>;
let script: ScriptedReply[] = [];
let played = 0;
beforeAll(async () => {
  stack = await startJobStack({
    files: FILES,
    script: () => script[played++] ?? { text: 'Nothing to do.' },
    env: { TEMPORAL_UI_URL: 'http://temporal.test/' },
  });
  cookies = {
    viewer: await join('viewer'),
    owner: await join('owner'),
    member: await join('member'),
  };
});
afterAll(() => stack.close());

const play = (...replies: ScriptedReply[]) => {
  script = replies;
  played = 0;
};

async function join(role: As, name: string = role): Promise<string> {
  const {
    rows: [organization],
  } = await stack.pool.query<{ id: string }>('select id from organizations');
  const token = await invite(stack.pool, organization!.id, `${name}@acme.test`, role);
  const answer = await fetch(`${stack.baseUrl}/api/dashboard/invitation/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: stack.baseUrl },
    body: JSON.stringify({ token, name, password: PASSWORD }),
  });
  session = (await answer.json()) as Session;
  return answer.headers.get('set-cookie')!.split(';', 1)[0]!;
}

function call(
  method: string,
  path: string,
  body?: unknown,
  as: As = 'member',
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${stack.baseUrl}/api/dashboard/projects/${stack.project.id}${path}`, {
    method,
    headers: {
      cookie: cookies[as],
      origin: stack.baseUrl,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function json<T>(
  method: string,
  path: string,
  body?: unknown,
  as: As = 'member',
): Promise<T> {
  const answer = await call(method, path, body, as);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Reads a job's events until the stream ends. */
async function follow(id: string, after = 0): Promise<{ seq: number; event: JobEvent }[]> {
  const answer = await call('GET', `/jobs/${id}/events`, undefined, 'member', {
    'last-event-id': String(after),
  });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return (await answer.text()).split('\n\n').flatMap(frame => {
    const [, seq, data] = /^id: (\d+)\ndata: (.*)$/.exec(frame) ?? [];
    return data ? [{ seq: Number(seq), event: JSON.parse(data) as JobEvent }] : [];
  });
}

async function run(prompt: string): Promise<Job> {
  const job = await json<Job>('POST', '/jobs', { prompt });
  await follow(job.id);
  return (await json<JobList>('GET', '/jobs')).jobs.find(({ id }) => id === job.id)!;
}

it('goes from a prompt to a merged pull request, seen live', async () => {
  play(
    edit('first', 'opening'),
    finish(
      'Say opening',
      'It says **opening**.\n\n![x](https://evil.test/a.png) <script>alert(1)</script>',
    ),
  );
  const job = await json<Job>('POST', '/jobs', { prompt: 'Say opening instead of first' });
  expect(job).toMatchObject({
    status: 'active',
    title: null,
    prompt: 'Say opening instead of first',
    prLink: null,
    generation: 'v2',
    startedBy: { type: 'user', name: 'member' },
    branch: expect.stringMatching(/^docent\/say-opening/),
  });
  const story = await follow(job.id);
  expect(story.map(({ seq }) => seq)).toEqual(story.map((_, i) => i + 1));
  for (const type of ['instruction', 'tool_call', 'tool_result', 'pull_request', 'finish'])
    expect(story.map(({ event }) => event.type)).toContain(type);
  // A browser that comes back is told to stay away, and gets what it lacks.
  expect(
    (
      await call('GET', `/jobs/${job.id}/events`, undefined, 'member', {
        'last-event-id': String(story.length),
      })
    ).status,
  ).toBe(204);
  expect(await follow(job.id, 3)).toEqual(story.slice(3));

  const detail = await json<JobDetail>('GET', `/jobs/${job.id}`);
  expect(detail).toMatchObject({
    status: 'completed',
    title: 'Say opening',
    haltReason: 'completed',
    messageToUser: 'Say opening: done.',
    fullPrompt: job.prompt,
    prNumber: 1,
    turns: 1,
    ref: job.branch,
    lastEvent: story.length,
    operator: null,
    finishedAt: expect.any(String),
    baseRef: 'main',
  });
  expect(detail.tokens.output).toBeGreaterThan(0);
  expect(detail.outcome).toBe('open');
  const conversation = await json<Conversation>('GET', `/jobs/${job.id}/messages`);
  expect(conversation.messages.map(({ type }) => type)).toEqual(['instruction', 'text', 'outcome']);

  const wanted = {
    path: 'docs/index.md',
    from: null,
    change: 'changed',
    binary: false,
    additions: 1,
    deletions: 1,
  };
  const diff = await json<Diff>('GET', `/jobs/${job.id}/diff`);
  expect(diff).toMatchObject({ complete: true, files: [wanted] });
  expect(diff.files[0]!.lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^@@ /),
      '-The first line.',
      '+The opening line.',
      ' The second line.',
    ]),
  );

  const list = await json<PullRequestList>('GET', '/pulls?state=open');
  expect(list).toMatchObject({
    host: 'local',
    pullRequests: [
      {
        number: 1,
        title: 'Say opening',
        state: 'open',
        head: job.branch,
        base: 'main',
        jobId: job.id,
        url: detail.prLink,
      },
    ],
  });
  const pull = await json<PullRequestDetail>('GET', '/pulls/1');
  expect(pull).toMatchObject({
    findings: [],
    diff: { complete: true, files: [wanted] },
    commits: [{ subject: expect.stringContaining('Say opening') }],
  });
  expect(pull.body).toContain('It says **opening**.');

  await withoutAudit(stack.pool, async () => {
    for (const path of ['/pulls/1/merge', '/pulls/1/close', `/jobs/${job.id}/archive`])
      expect((await call('POST', path)).status).toBe(500);
  });
  expect((await json<PullRequest>('GET', '/pulls/1')).state).toBe('open');
  expect(await json<Job>('GET', `/jobs/${job.id}`)).toMatchObject({ archivedAt: null });
  expect(await json<PullRequest>('POST', '/pulls/1/merge')).toMatchObject({
    state: 'merged',
    closedAt: expect.any(String),
  });
  expect((await json<JobDetail>('GET', `/jobs/${job.id}`)).outcome).toBe('merged');
  expect(await entriesLike(stack.pool, 'pull_request.%')).toEqual([
    'pull_request.merge_requested user member@acme.test docs#1',
    'pull_request.merged user member@acme.test docs#1',
  ]);
  expect(stack.git('show', 'main:docs/index.md')).toContain('The opening line.');
  const merge = stack.git('rev-parse', 'main').trim();
  await until(
    'the merged pages are indexed',
    async () =>
      (
        await stack.pool.query(
          'select 1 from search_indexes where project_id = $1 and commit = $2',
          [stack.project.id, merge],
        )
      ).rowCount === 1,
  );
  expect((await json<PullRequestList>('GET', '/pulls?state=open')).pullRequests).toEqual([]);
  expect((await call('POST', '/pulls/1/close')).status).toBe(409);
  expect((await call('GET', '/pulls/99')).status).toBe(404);
});

it('returns what the calls of a step gave, when somebody asks', async () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  play(
    edit('no such', 'x'),
    {
      toolUses: [
        { name: 'search_text', input: { pattern: 'second' } },
        { name: 'replace_all', input: { find: 'Welcome', replace: token, dry_run: true } },
      ],
    },
    finish('Nothing to do'),
  );
  const job = await run('Say x');
  expect(job.outcome).toBe('unchanged');
  const results = async (step: number) =>
    (await json<StepResults>('GET', `/jobs/${job.id}/steps/1/${step}`)).results;
  const [failed] = await results(1);
  expect(failed).toMatchObject({ isError: true, complete: true });
  expect(failed!.content).toContain('old_str does not occur in docs/index.md');
  const [found, dry] = await results(2);
  expect(found!.content).toMatch(/docs\/index.md:\d+: The second line\./);
  expect(dry!.content).not.toContain(token);
  expect(await results(99)).toEqual([]);
  expect((await call('GET', `/jobs/${job.id}/steps/1/0`)).status).toBe(400);

  await stack.pool.query(
    `update transcript_entries
        set content = jsonb_set(content, '{0,content}', to_jsonb(repeat('y', 40000)))
      where job_id = $1 and kind = 'tool_results' and step = 1`,
    [job.id],
  );
  expect((await results(1))[0]).toMatchObject({ content: 'y'.repeat(30_000), complete: false });

  const times = (await follow(job.id)).map(({ event }) => (event as TimedEvent).at);
  expect(Math.abs(Date.now() - times.at(-1)!)).toBeLessThan(60_000);
});

it('takes follow-ups, in the name of whoever wrote them', async () => {
  play({ text: 'Which one?' });
  const job = await run('Change a line');
  expect(job.outcome).toBe('answered');
  play({ text: 'I see.' });
  expect(
    await json<Job>('POST', `/jobs/${job.id}/message`, { prompt: 'The second' }, 'owner'),
  ).toMatchObject({ id: job.id, status: 'active' });
  await follow(job.id);
  expect(
    (await json<Conversation>('GET', `/jobs/${job.id}/messages`)).messages.map(({ text }) => text),
  ).toEqual(['Change a line', 'Which one?', 'Which one?', 'The second', 'I see.', 'I see.']);
  const { rows } = await stack.pool.query('select source from instructions where job_id = $1', [
    job.id,
  ]);
  expect(rows).toEqual([{ source: 'dashboard' }, { source: 'dashboard' }]);
});

it('goes on from an earlier step, for members', async () => {
  play(edit('first', 'one'), finish('Say one'));
  const job = await run('Say one');
  play({ text: 'It stays as it is.' });
  const to = { turn: 1, step: 1 };
  expect((await call('POST', `/jobs/${job.id}/rewind`, to, 'viewer')).status).toBe(403);
  expect((await call('POST', `/jobs/${job.id}/rewind`, { turn: 1, step: 9 })).status).toBe(400);
  expect(await json<Job>('POST', `/jobs/${job.id}/rewind`, to)).toMatchObject({
    id: job.id,
    status: 'active',
    turns: 1,
  });
  const story = await follow(job.id);
  expect(story.find(({ event }) => event.type === 'rewound')?.event).toMatchObject(to);
  expect(await json<JobDetail>('GET', `/jobs/${job.id}`)).toMatchObject({
    status: 'completed',
    messageToUser: 'It stays as it is.',
  });
  expect((await json<Diff>('GET', `/jobs/${job.id}/diff`)).files).toEqual([]);
});

it('says in v1 which user started a job', async () => {
  play({ text: 'No.' });
  const job = await run('Anything');
  const { body } = (await stack.call('GET', `/v1/agent/${stack.project.id}/job/${job.id}`)) as {
    body: { userId: string };
  };
  expect(body.userId).toMatch(/^usr_/);
  expect(body.userId).toBe(
    (await stack.pool.query(`select id from users where email = 'member@acme.test'`)).rows[0].id,
  );
});

it('cancels, closes and archives', async () => {
  play(edit('second', 'last'), { text: 'slow', delayMs: 20_000 });
  const job = await json<Job>('POST', '/jobs', { prompt: 'Say last' });
  for (
    let i = 0;
    i < 100 && (await json<Diff>('GET', `/jobs/${job.id}/diff`)).files.length === 0;
    i++
  )
    await new Promise(resolve => setTimeout(resolve, 100));
  expect((await call('POST', `/jobs/${job.id}/archive`)).status).toBe(409);
  expect(await json<Job>('POST', `/jobs/${job.id}/cancel`)).toMatchObject({
    status: 'failed',
    outcome: 'cancelled',
    prLink: null,
  });
  expect((await json<Diff>('GET', `/jobs/${job.id}/diff`)).files).toMatchObject([
    { path: 'docs/index.md' },
  ]);
  expect((await json<Job>('POST', `/jobs/${job.id}/archive`)).archivedAt).toEqual(
    expect.any(String),
  );
  expect((await call('POST', `/jobs/${job.id}/message`, { prompt: 'x' })).status).toBe(409);

  play(edit('second', 'other'), finish('Say other'));
  const { prNumber } = await run('Say other');
  expect(await json<PullRequest>('POST', `/pulls/${prNumber}/close`)).toMatchObject({
    number: prNumber,
    state: 'closed',
  });
  expect((await call('POST', `/pulls/${prNumber}/merge`)).status).toBe(409);
  expect((await json<JobList>('GET', '/jobs?search=Say%20other')).jobs[0]!.outcome).toBe('closed');
});

it('ends the streams of those who may no longer see the job, while it is still at work', async () => {
  play({ text: 'slow', delayMs: 60_000 });
  const { id } = await json<Job>('POST', '/jobs', { prompt: 'Take your time' });
  const open = async (name: string) => {
    const cookie = await join('viewer', name);
    const stream = await fetch(
      `${stack.baseUrl}/api/dashboard/projects/${stack.project.id}/jobs/${id}/events`,
      { headers: { cookie } },
    );
    const state = { ended: false };
    return {
      cookie,
      state,
      ended: stream.text().then(() => {
        state.ended = true;
      }),
    };
  };
  const [stays, removed, signedOut, expired] = await Promise.all(
    ['stays', 'removed', 'signed-out', 'expired'].map(open),
  );
  const userOf = (name: string) => `(select id from users where email = '${name}@acme.test')`;
  await stack.pool.query(`delete from memberships where user_id = ${userOf('removed')}`);
  await stack.pool.query(
    `update sessions set last_used_at = now() - interval '31 days' where user_id = ${userOf('expired')}`,
  );
  await fetch(`${stack.baseUrl}/api/dashboard/session`, {
    method: 'DELETE',
    headers: { cookie: signedOut!.cookie, origin: stack.baseUrl },
  });
  await Promise.all([removed!.ended, signedOut!.ended, expired!.ended]);
  expect([stays!.state.ended, (await json<JobDetail>('GET', `/jobs/${id}`)).status]).toEqual([
    false,
    'active',
  ]);
  await json<Job>('POST', `/jobs/${id}/cancel`);
  await stays!.ended;
}, 60_000);

it('lists by status, words and page', async () => {
  const { jobs } = await json<JobList>('GET', '/jobs');
  expect(jobs.length).toBeGreaterThan(4);
  const ids = async (query: string) =>
    (await json<JobList>('GET', `/jobs?${query}`)).jobs.map(({ id }) => id);
  expect(await ids('status=failed')).toEqual(
    jobs.filter(({ status }) => status === 'failed').map(({ id }) => id),
  );
  expect(await ids('search=OPENING')).toEqual([jobs.at(-1)!.id]);
  expect(await ids(`search=${jobs[1]!.id}`)).toEqual([jobs[1]!.id]);
  expect(await ids('search=%25')).toEqual([]); // no wildcard
  expect((await call('GET', '/jobs?search=%00')).status).toBe(400);
  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: JobList = await json<JobList>(
      'GET',
      `/jobs?limit=2${cursor && `&cursor=${cursor}`}`,
    );
    pages.push(...page.jobs.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual(jobs.map(({ id }) => id));
  expect((await call('GET', '/jobs?cursor=nonsense')).status).toBe(400);
});

it('shows owners where the operator looks', async () => {
  expect(session.organizations[0]!.operator).toBeNull(); // the member's
  const {
    jobs: [job],
  } = await json<JobList>('GET', '/jobs');
  const { operator } = await json<JobDetail>('GET', `/jobs/${job!.id}`, undefined, 'owner');
  expect(operator).toMatchObject({
    workflowId: job!.id,
    historyUrl: `http://temporal.test/namespaces/default/workflows/${job!.id}`,
  });
  expect(operator!.commands[0]!.command).toBe(
    `temporal workflow signal --address ${stack.config.TEMPORAL_ADDRESS} --workflow-id ${job!.id} --name message --input '{"prompt":"…"}'`,
  );
  expect(operator!.commands.map(({ label }) => label)).toEqual([
    'Send a message',
    'Archive',
    'Ask for its state',
    'Show the history',
  ]);
  expect(operator!.commands[1]!.command).toMatch(/--name archive --input '\{"epoch":\d+\}'$/);
  await json<Job>('POST', `/jobs/${job!.id}/archive`);
  const archived = await json<JobDetail>('GET', `/jobs/${job!.id}`, undefined, 'owner');
  expect(archived.operator!.commands.map(({ label }) => label)).toEqual([
    'Ask for its state',
    'Show the history',
  ]);
});

it('answers 404 for jobs of other projects', async () => {
  for (const path of ['', '/messages', '/diff', '/events', '/steps/1/1'])
    expect((await call('GET', `/jobs/job_unknown${path}`)).status).toBe(404);
  for (const verb of ['message', 'rewind', 'cancel', 'archive'])
    expect(
      (await call('POST', `/jobs/job_unknown/${verb}`, { prompt: 'x', turn: 1, step: 1 })).status,
    ).toBe(404);
});

it('keeps the page of a job on GitHub where it is', async () => {
  await stack.pool.query(
    `update projects set host = 'github', repository_url = 'https://github.com/acme/docs' where id = $1`,
    [stack.project.id],
  );
  try {
    expect(await json('GET', '/pulls')).toEqual({
      host: 'github',
      hostName: 'GitHub',
      url: 'https://github.com/acme/docs/pulls',
      ...{ pullRequests: [], nextCursor: null },
    });
    expect((await call('POST', '/pulls/1/merge')).status).toBe(404);
  } finally {
    await stack.pool.query(`update projects set host = 'local' where id = $1`, [stack.project.id]);
  }
});
