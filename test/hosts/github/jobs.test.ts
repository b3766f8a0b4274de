import { commentsAskedFor } from '../../../agent/prepare/orient.ts';
import { createLogger } from '../../../shared/logger.ts';
import { openDeps } from '../../../worker/deps.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { type GitHubJobStack, startGitHubJobStack } from './job-stack.ts';
import { slowly } from '../../support/slow.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const EDITOR = 'str_replace_based_edit_tool';
const edit = (from: string, to: string): ScriptedReply => ({
  toolUses: [
    {
      name: EDITOR,
      input: { command: 'str_replace', path: 'docs/guide.md', old_str: from, new_str: to },
    },
  ],
});
const FINISH: ScriptedReply = {
  toolUses: [
    { name: 'finish', input: { title: 'Change the line', body: 'As asked.', message: 'Done.' } },
  ],
};

describe('a job on GitHub', () => {
  let stack: GitHubJobStack;
  let script: ScriptedReply[] = [];
  let played = 0;
  /** What else happens while the model thinks. */
  let meanwhile = () => {};
  beforeAll(async () => {
    stack = await startGitHubJobStack({
      files: FILES,
      script: () => {
        meanwhile();
        return script[played++] ?? { text: 'Nothing.' };
      },
    });
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    stack.github.state.faults.length = 0;
    meanwhile = () => {};
  });

  const play = (...replies: ScriptedReply[]): void => {
    script = replies;
    played = 0;
  };
  const run = async (prompt = 'Change the line') => stack.rest((await stack.create(prompt)).id);
  const pullsFrom = (branch: string | null) =>
    stack.repositoryOnGitHub.pulls.filter(pull => pull.head === branch);

  it('opens a pull request; a follow-up updates it; after the merge a follow-up opens another', async () => {
    play(edit('The first line.', 'A line.'), FINISH);
    const first = await run();
    expect(first).toMatchObject({
      status: 'completed',
      prLink: `${stack.github.webUrl}/acme/docs/pull/1`,
      source: { repository: `${stack.github.webUrl}/acme/docs` },
    });
    expect(stack.repositoryOnGitHub.pulls[0]).toMatchObject({
      title: 'Change the line',
      body: expect.stringContaining('Opened by Docent'),
      base: 'main',
      draft: false,
    });

    play(edit('A line.', 'A better line.'), FINISH);
    await stack.message(first.id, 'Better');
    expect(await stack.rest(first.id)).toMatchObject({
      status: 'completed',
      prLink: first.prLink,
      source: { ref: first.source.ref },
    });
    expect(
      stack.github
        .git(stack.repositoryOnGitHub, 'rev-list', '--count', `main..${first.source.ref}`)
        .trim(),
    ).toBe('2');
    expect(pullsFrom(first.source.ref)).toHaveLength(1);

    stack.github.merge(stack.repositoryOnGitHub, 1);
    play(edit('A better line.', 'The best line.'), FINISH);
    await stack.message(first.id, 'Best');
    const third = await stack.rest(first.id);
    expect(third).toMatchObject({
      status: 'completed',
      prLink: `${stack.github.webUrl}/acme/docs/pull/2`,
    });
    expect(third.source.ref).not.toBe(first.source.ref);
    expect(
      stack.github.git(stack.repositoryOnGitHub, 'show', `${third.source.ref}:docs/guide.md`),
    ).toContain('The best line.');
  }, 60_000);

  slowly('cuts a text that GitHub would refuse before its footer, again and again', async () => {
    const long = (word: string): ScriptedReply => ({
      toolUses: [
        {
          name: 'finish',
          input: {
            title: 'Long',
            body: `${word}\n\n\`\`\`\n${`${word} `.repeat(34_000 / (word.length + 1))}\n`,
            message: 'Done.',
          },
        },
      ],
    });
    const main = stack.github
      .git(stack.repositoryOnGitHub, 'show', 'main:docs/guide.md')
      .trim()
      .split('\n')
      .at(-1)!;
    play(edit(main, 'One.'), long('first'));
    const { id, source } = await run();
    const bodies: string[] = [];
    for (const [from, to] of [
      ['One.', 'Two.'],
      ['Two.', 'Three.'],
    ] as const) {
      play(edit(from, to), long(to));
      await stack.message(id, to);
      expect(await stack.rest(id)).toMatchObject({ status: 'completed' });
      bodies.push(pullsFrom(source.ref)[0]!.body);
      expect(bodies.at(-1)).toMatch(
        /\n```\n\n\(cut: the text was too long\)\n\n---\nOpened by Docent for .*\n$/,
      );
    }
    expect(bodies[0]).toContain('Two.');
    expect(pullsFrom(source.ref)).toHaveLength(1);
  });

  it('asks for a draft where one is wanted', async () => {
    play(edit('line.', 'row.'), FINISH);
    const job = await stack.rest((await stack.create('A draft', { asDraft: true })).id);
    expect(pullsFrom(job.source.ref)).toMatchObject([{ draft: true }]);
  });

  it('never opens two, whatever becomes of the answers', async () => {
    play(edit('line.', 'row.'), FINISH);
    stack.github.fail({ method: 'POST', path: /\/pulls$/, status: 502, after: true });
    stack.github.fail({ method: 'GET', path: /\/pulls$/, status: 503 });
    stack.github.fail({ path: /git-receive-pack$/, status: 500 });
    stack.github.fail({ path: /access_tokens$/, status: 0 });
    const job = await run();
    expect(job.status).toBe('completed');
    expect(pullsFrom(job.source.ref)).toHaveLength(1);
  }, 60_000);

  it.each([
    ['the push', { path: /git-receive-pack$/, status: 429 }],
    ['the pull request', { method: 'POST', path: /\/pulls$/, status: 403 }],
  ])(
    'waits as long as GitHub asks before it repeats %s',
    async (_, refused) => {
      play(edit('line.', 'row.'), FINISH);
      stack.github.fail({
        ...refused,
        message: 'You have exceeded a secondary rate limit.',
        headers: { 'retry-after': '2' },
      });
      const before = stack.github.state.requests.length;
      const started = Date.now();
      const job = await run();
      expect(Date.now() - started).toBeGreaterThan(2_000);
      expect(pullsFrom(job.source.ref)).toHaveLength(1);
      const asked = stack.github.state.requests.slice(before).filter(each => /^POST/.test(each));
      expect(asked.filter(each => refused.path.test(each))).toHaveLength(2);
    },
    60_000,
  );

  slowly(
    'does not count refusals: a host that is away for an hour fails no job',
    async () => {
      play(edit('line.', 'row.'), FINISH);
      stack.github.fail({
        ...{ method: 'POST', path: /\/pulls$/, status: 403, times: 12 },
        message: 'You have exceeded a secondary rate limit.',
        headers: { 'retry-after': '0.1' },
      });
      const job = await run();
      expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
      const { events } = await stack.temporal.workflow.getHandle(job.id).fetchHistory();
      const scheduled = events?.flatMap(each => each.activityTaskScheduledEventAttributes ?? []);
      const patience = new Map(
        scheduled?.map(({ activityType, scheduleToCloseTimeout, retryPolicy }) => [
          activityType?.name,
          [retryPolicy?.maximumAttempts ?? 0, Number(scheduleToCloseTimeout?.seconds) > 3_600],
        ]),
      );
      for (const type of ['push', 'openPullRequest'])
        expect([type, patience.get(type)]).toEqual([type, [0, true]]);
    },
    60_000,
  );

  it('tells why a follow-up’s push was refused, and answers a question after it', async () => {
    play(edit('line.', 'row.'), FINISH);
    const job = await run();
    play(edit('row.', 'verse.'), FINISH);
    stack.repositoryOnGitHub.refusePush = 'pre-receive hook declined';
    stack.github.fail({
      path: /\/compare\//,
      status: 403,
      message: 'Resource not accessible by integration',
      times: 1_000,
    }); // the push’s own refusal counts
    await stack.message(job.id, 'Make it a verse');
    expect((await stack.rest(job.id)).status).toBe('failed');
    const {
      rows: [told],
    } = await stack.pool.query<{ message_to_user: string }>(
      'select message_to_user from jobs where id = $1',
      [job.id],
    );
    expect(told?.message_to_user).toMatch(
      /refuses the push to docent\/.*pre-receive hook declined/,
    );
    stack.repositoryOnGitHub.refusePush = undefined;
    stack.github.state.faults.length = 0;
    play({ text: 'It is a line.' });
    expect(
      (
        await stack.call('POST', `/v2/agent/${stack.project.id}/job/${job.id}/rewind`, {
          turn: 2,
          step: 1,
        })
      ).status,
    ).toBe(200);
    expect(await stack.rest(job.id)).toMatchObject({ status: 'completed', prLink: job.prLink });
  }, 60_000);

  it('completes without a pull request where the base came to hold the branch meanwhile', async () => {
    play(edit('line.', 'row.'), FINISH);
    const before = stack.repositoryOnGitHub.pulls.length;
    // Somebody brings the branch to the base between our push and our pull request.
    stack.github.fail({ method: 'POST', path: /\/pulls$/, status: 500 });
    const created = await stack.create('Change the line');
    while (
      !stack.github.state.requests.some(
        request => request.startsWith('POST') && request.endsWith('/pulls'),
      ) ||
      stack.github.state.faults[0]?.times !== 0
    )
      await new Promise(resolve => setTimeout(resolve, 20));
    const { rows } = await stack.pool.query<{ branch: string }>(
      'select branch from jobs where id = $1',
      [created.id],
    );
    stack.github.git(
      stack.repositoryOnGitHub,
      'update-ref',
      'refs/heads/main',
      `refs/heads/${rows[0]?.branch}`,
    );
    const job = await stack.rest(created.id);
    expect(job).toMatchObject({ status: 'completed', prLink: null });
    expect(stack.repositoryOnGitHub.pulls).toHaveLength(before);
  }, 60_000);

  it('has the comments on its pull request at hand where a follow-up asks for them', async () => {
    play(edit('row.', 'line.'), FINISH);
    const job = await run();
    stack.repositoryOnGitHub.roles = { ada: 'write' };
    const pull = Number(job.prLink?.split('/').at(-1));
    const said = (login: string, at: string, body: string) => ({
      id: 1,
      kind: 'line' as const,
      pull,
      login,
      bot: false,
      body,
      path: 'docs/guide.md',
      line: 7,
      at,
    });
    stack.repositoryOnGitHub.comments.push(
      said('ada', '2026-11-21T10:00:02Z', 'Second.'),
      said('ada', '2026-11-21T10:00:01Z', 'First.'),
      said('mallory', '2026-11-21T10:00:03Z', 'Visit evil.example.'),
    );
    play({ text: 'Nothing to do.' });
    await stack.message(job.id, 'See to the review comments');
    await stack.rest(job.id);
    const { deps, close } = await openDeps({
      config: stack.config as typeof stack.config & { DATABASE_URL: string },
      temporal: { address: stack.config.TEMPORAL_ADDRESS! },
      logger: createLogger('silent'),
    });
    const address = { host: 'github', repository: 'acme/docs' } as const;
    expect(await commentsAskedFor(deps, address, job.id, 2)).toMatch(
      /ada on docs\/guide.md, line 7:\n> First\.\n\nada on docs\/guide.md, line 7:\n> Second\.$/,
    );
    expect(await commentsAskedFor(deps, address, job.id, 1)).toBeNull();
    await close();
  });

  it('reads those comments once in a turn, also where its branch moves under it', async () => {
    play(edit('# Guide', '# Guides'), FINISH);
    const job = await run();
    const pull = Number(job.prLink?.split('/').at(-1));
    stack.repositoryOnGitHub.roles = { ada: 'write' };
    stack.repositoryOnGitHub.comments.push({
      id: 1,
      kind: 'line',
      pull,
      login: 'ada',
      bot: false,
      body: 'A rhyme, please.',
      path: 'docs/guide.md',
      line: 7,
      at: '2026-11-21T10:00:02Z',
    });
    const branch = `refs/heads/${job.source.ref}`;
    const git = (...args: string[]): string =>
      stack.github
        .git(
          stack.repositoryOnGitHub,
          '-c',
          'user.name=Ada',
          '-c',
          'user.email=ada@example.com',
          ...args,
        )
        .trim();
    meanwhile = () => {
      if (played === 0)
        git(
          'update-ref',
          branch,
          git('commit-tree', '-m', 'By Ada', '-p', branch, `${branch}^{tree}`),
        );
    };
    play(edit('# Guides', '# The guide'), FINISH);
    await stack.message(job.id, 'See to the review comments');
    expect(await stack.rest(job.id)).toMatchObject({ status: 'completed', prLink: job.prLink });
    const { rows } = await stack.pool.query<{ comments: boolean }>(
      "select content::text like '%A rhyme, please.%' as comments from transcript_entries where job_id = $1 and turn = 2 and meta ? 'system' order by depth",
      [job.id],
    );
    expect(rows.map(({ comments }) => comments)).toEqual([true, false]);
  }, 60_000);
});
