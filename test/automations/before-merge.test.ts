import { createHmac, randomUUID } from 'node:crypto';
import { updateProject } from '../../db/projects/projects.ts';
import { type GitHubJobStack, startGitHubJobStack } from '../hosts/github/job-stack.ts';
import { sweepAutomations } from '../../jobs/sweep/automations.ts';
import { createLogger } from '../../shared/logger.ts';
import { endPull } from '../hosts/github/repositories.ts';
import type { Repository } from '../hosts/github/state.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { commitFiles, file, type Stage, stageOf } from './stage.ts';

const PREPARE = 'docs: prepare';

describe('docs that are prepared before the merge', () => {
  let stack: GitHubJobStack;
  let stage: Stage;
  let api: Repository;
  let script: ScriptedReply[] = [];
  let id = '';
  beforeAll(async () => {
    stack = await startGitHubJobStack({
      files: {
        'docs/guide.md': '# Guide\n\nThe first line. Set maxRetries.\n',
        '.docent/workflows/follow.md': file(
          'name: Follow\non:\n  merge: { repo: acme/api, branch: main }\ndraft: false',
          'Keep the guide up to date.',
        ),
      },
      noWorker: true,
      script: () => script.shift() ?? { text: 'Nothing to do.' },
      env: { AUTOMATION_MAX_RUNS_PER_HOUR: '20', AUTOMATION_MAX_OPEN_PULL_REQUESTS: '2' },
    });
    api = stack.github.addRepository('acme/api', { 'src/a.ts': 'a();\n' });
    api.roles = { ada: 'write', eve: 'read' };
    stack.github.state.installations[0]!.repositories.push(api.id);
    await updateProject(stack.pool, stack.project.id, {
      settings: {
        contextRepositories: [{ name: 'api', host: 'github', repository: 'acme/api', ref: 'main' }],
      },
    });
    await stack.startWorker();
    stage = stageOf(stack);
    await stage.index();
    ({ id } = await stage.named('Follow'));
  }, 90_000);
  afterAll(() => stack?.close());

  /** As the sweep does when nobody has told for long. */
  const poll = async () => {
    await stack.pool.query("update automations set read_at = '2020-01-01'");
    const { config, pool, temporal } = stack;
    await sweepAutomations({ config, pool, temporal, log: createLogger('silent') });
  };
  const docs = () => stack.repositoryOnGitHub.pulls;
  const open = (title: string, text: string, labels: string[] = []) => {
    const number = api.pulls.length + 1;
    const head = `change-${number}`;
    stack.github.git(api, 'branch', head, 'main');
    commitFiles(api.folder, { [`src/${number}.ts`]: text }, head);
    api.pulls.push({
      ...{ number, title, body: '', head, base: 'main', draft: false, state: 'open' },
      ...{ mergedAt: null, lastCommit: null, fork: false, author: 'ada', labels },
      ...{ reviewers: [], mergeCommit: null },
    });
    return number;
  };
  const push = (number: number, text: string) =>
    commitFiles(api.folder, { [`src/${number}.ts`]: text }, `change-${number}`);
  const deliver = async (event: string, more: object) => {
    const repository = { id: api.id, full_name: 'acme/api' };
    const body = JSON.stringify({ repository, ...more });
    const signature = createHmac('sha256', 'webhook-secret-of-the-tests').update(body);
    const response = await fetch(`${stack.baseUrl}/github/webhook`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${signature.digest('hex')}`,
      },
    });
    return (await response.json()) as { result: string };
  };
  const told = (number: number, action: string) => {
    const { state, mergedAt, labels } = api.pulls[number - 1]!;
    return deliver('pull_request', {
      action,
      pull_request: {
        ...{ number, state, merged: mergedAt !== null, updated_at: new Date().toISOString() },
        labels: labels.map(name => ({ name })),
      },
    });
  };
  const mergeDocs = async (number: number) => {
    const { id: repositoryId, pulls } = stack.repositoryOnGitHub;
    stack.github.merge(stack.repositoryOnGitHub, number);
    await deliver('pull_request', {
      ...{ action: 'closed', repository: { id: repositoryId, full_name: 'acme/docs' } },
      pull_request: {
        number,
        state: 'closed',
        merged: true,
        updated_at: pulls[number - 1]!.mergedAt,
      },
    });
    await stage.index();
  };
  const say = async (number: number, login: string, body: string) => {
    const at = new Date().toISOString();
    const comment = { id: api.comments.length + 1, kind: 'issue' as const, pull: number, login };
    api.comments.push({ ...comment, bot: false, body, path: null, line: null, at });
    const user = { login, type: 'User' };
    return deliver('issue_comment', {
      ...{ action: 'created', sender: user, issue: { number, pull_request: {} } },
      comment: { id: comment.id, body, user, created_at: at },
    });
  };

  it('follow the label and each push as a draft of their own, and are ready once it is merged', async () => {
    script = [edit('first', 'second'), finish('Name maxTries')];
    const number = open('Rename maxRetries', 'export const maxTries = 3;\n', [PREPARE]);
    await told(number, 'labeled');
    const [run] = await stage.done(id, 1);
    expect(run).toMatchObject({ outcome: 'published', about: 'acme/api#1: Rename maxRetries' });
    expect(docs()[0]).toMatchObject({ draft: true, state: 'open' });
    await until('the comment is there', () => api.comments.length === 1);
    expect(api.comments[0]!.body).toContain(`a draft until the merge: ${run!.prLink}`);
    const [prompt] = stack.model.requests.map(({ body }) => JSON.stringify(body.messages));
    expect(prompt).toContain('> +export const maxTries = 3;');
    expect(prompt).toContain('not merged yet');

    script = [edit('second', 'third'), finish('Name mostTries')];
    push(number, 'export const mostTries = 3;\n');
    expect(await Promise.all([told(number, 'synchronize'), told(number, 'synchronize')])).toEqual([
      { result: 'open' },
      { result: 'open' },
    ]);
    const [second] = await stage.done(id, 2);
    expect(second).toMatchObject({ outcome: 'published', jobId: run!.jobId, prLink: run!.prLink });
    expect(docs()).toHaveLength(1);
    expect(docs()[0]!.body.match(/acme\/api#1/g)).toHaveLength(1);

    const asked = stack.model.requests.length;
    endPull(api, number, true);
    await told(number, 'closed');
    const [merged] = await stage.done(id, 3);
    expect(merged).toMatchObject({
      outcome: 'no_action',
      reason: 'The docs were prepared before the merge.',
    });
    await until('it is ready', () => !docs()[0]!.draft);
    expect(docs()[0]!.state).toBe('open');
    expect(stack.model.requests).toHaveLength(asked);
    expect(api.comments).toHaveLength(1);
  }, 200_000);

  it('are asked for by a comment of a person who may write, and closed with the code', async () => {
    const number = open('Try it', 'tryIt();\n');
    await say(number, 'eve', '@docent prepare');
    await say(number, 'ada', 'I would ask `@docent prepare it` later.');
    await told(number, 'edited');
    script = [edit('first', 'zeroth'), finish('Say try')];
    const other = open('Not asked for', 'other();\n');
    expect(await say(number, 'ada', '@docent prepare')).toEqual({ result: 'docs asked for' });
    const [run] = await stage.done(id, 4);
    expect(run).toMatchObject({ outcome: 'published', about: 'acme/api#2: Try it' });
    expect(docs()).toHaveLength(2);

    // A third one would be one too many at once.
    api.pulls[other - 1]!.labels = [PREPARE];
    await told(other, 'labeled');
    await until('it is held back', async () =>
      (await stage.runs(id)).some(({ state }) => state === 'held_back'),
    );
    endPull(api, number, false);
    await told(number, 'closed');
    await until('the docs are closed', () => docs()[1]!.state === 'closed');
    expect(docs()[1]!.mergedAt).toBeNull();

    // Its end takes the run with it that still waits.
    endPull(api, other, false);
    await told(other, 'closed');
    const runs = await stage.done(id, 5, 100_000);
    expect(runs[0]).toMatchObject({ about: 'acme/api#3: Not asked for', outcome: 'held_back' });
    expect(docs()).toHaveLength(2);
  }, 300_000);

  it('take the pushes of the last moment with them, where nothing was delivered', async () => {
    await mergeDocs(1);
    script = [edit('third', 'new'), finish('Say new')];
    const number = open('Late', 'late();\n', [PREPARE]);
    await poll();
    const [run] = await stage.done(id, 6);
    expect(run).toMatchObject({ outcome: 'published' });
    script = [edit('new', 'newest'), finish('Say newest')];
    push(number, 'later();\n');
    endPull(api, number, true);
    await poll();
    const [merged] = await stage.done(id, 7);
    expect(merged).toMatchObject({ outcome: 'published', jobId: run!.jobId, prLink: run!.prLink });
    await until('it is ready', () => !docs()[2]!.draft);
    expect(docs()).toHaveLength(3);
  }, 300_000);

  it('are ready after a merge that came while the automation was paused', async () => {
    await mergeDocs(3);
    script = [edit('newest', 'odd'), finish('Say odd')];
    const number = open('Paused', 'paused();\n', [PREPARE]);
    await told(number, 'labeled');
    await stage.done(id, 8);
    await stage.act(id, 'pause');
    endPull(api, number, true);
    await told(number, 'closed');
    api.pulls[number - 1]!.mergedAt = new Date(Date.now() - 3_600_000).toISOString();
    await stage.act(id, 'resume');
    await poll();
    await until('it is ready', () => !docs()[3]!.draft, 60_000);
    expect(await stage.runs(id)).toHaveLength(8);
  }, 200_000);

  it('are found among more pull requests than are read at once', async () => {
    await mergeDocs(4);
    const from = Date.now() + 60_000; // after all that was read
    const many = Array.from({ length: 45 }, (_, i) => {
      const number = open(`Number ${i}`, `n${i}();\n`);
      api.pulls[number - 1]!.updatedAt = new Date(from + i * 1_000).toISOString();
      return number;
    });
    const comment = { kind: 'issue' as const, login: 'ada', bot: false, path: null, line: null };
    const at = new Date().toISOString();
    for (const number of [many[3]!, many[44]!])
      api.comments.push({
        ...comment,
        ...{ id: 1_000 + number, pull: number, body: '@docent prepare', at },
      });
    const found = async () => (await stage.runs(id)).map(({ about }) => about);
    for (const name of ['Number 3', 'Number 44'])
      await until(`${name} is prepared`, async () => {
        await poll();
        return (await found()).some(about => about.endsWith(`: ${name}`));
      });
    expect((await found()).filter(about => about.includes(': Number '))).toHaveLength(2);
  }, 200_000);
});
