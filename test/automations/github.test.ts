import { createHmac, randomUUID } from 'node:crypto';
import { updateProject } from '../../db/projects/projects.ts';
import type { MessagesRequest } from '../../offline-model/protocol/messages-protocol.ts';
import { type GitHubJobStack, startGitHubJobStack } from '../hosts/github/job-stack.ts';
import { endPull } from '../hosts/github/repositories.ts';
import type { Repository } from '../hosts/github/state.ts';
import { edit, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';
import { until } from '../support/until.ts';
import { commitFiles, file, rebase, type Stage, stageOf } from './stage.ts';

const FILES = {
  'docs/guide.md': '# Guide\n\nThe first line. Set maxRetries.\n',
  '.docent/workflows/follow.md': file(
    'name: Follow\non:\n  merge: { repo: acme/api, branch: main }\nlabels: [docs]',
    'Keep the guide up to date.',
  ),
};
const isGate = ({ tools = [] }: MessagesRequest) => tools.some(({ name }) => name === 'judge');
const verdict = (needed: boolean, reason: string): ScriptedReply => ({
  toolUses: [{ name: 'judge', input: { needed, reason, pages: [] } }],
});

describe('docs that follow code on GitHub', () => {
  let stack: GitHubJobStack;
  let stage: Stage;
  let api: Repository;
  let gate: ScriptedReply[] = [];
  let script: ScriptedReply[] = [];
  let id = '';
  beforeAll(async () => {
    stack = await startGitHubJobStack({
      files: FILES,
      noWorker: true,
      script: request =>
        (isGate(request) ? gate.shift() : script.shift()) ?? { text: 'Nothing to do.' },
      env: { AUTOMATION_MAX_CHECKS_PER_HOUR: '5' },
    });
    api = stack.github.addRepository('acme/api', { 'src/a.ts': 'a();\n' });
    api.roles = { ada: 'write' };
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

  const merge = (title: string, text: string, labels: string[] = []) => {
    const number = api.pulls.length + 1;
    const head = `change-${number}`;
    stack.github.git(api, 'branch', head, 'main');
    commitFiles(api.folder, { 'src/a.ts': text }, head);
    api.pulls.push({
      ...{ number, title, body: '', head, base: 'main', draft: false, state: 'open' },
      ...{ mergedAt: null, lastCommit: null, fork: false, author: 'ada', labels },
      ...{ reviewers: [], mergeCommit: null },
    });
    endPull(api, number, true);
    return number;
  };
  const deliver = async (number: number) => {
    const body = JSON.stringify({
      action: 'closed',
      repository: { id: api.id, full_name: 'acme/api' },
      pull_request: {
        number,
        state: 'closed',
        merged: true,
        updated_at: api.pulls[number - 1]!.mergedAt,
      },
    });
    const response = await fetch(`${stack.baseUrl}/github/webhook`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', 'webhook-secret-of-the-tests').update(body).digest('hex')}`,
      },
    });
    return response.status;
  };

  it('opens a draft that names the change and asks its author, once for a delivery that comes twice', async () => {
    gate = [verdict(true, 'A setting has another name.')];
    script = [edit('first', 'second'), finish('Rename the setting')];
    const number = merge('Rename maxRetries', 'export const maxTries = 3;\n');
    expect(await Promise.all([deliver(number), deliver(number)])).toEqual([200, 200]);
    const [run] = await stage.done(id, 1);
    expect(run).toMatchObject({ outcome: 'published', about: 'acme/api#1: Rename maxRetries' });
    await until('the comment is there', () => api.comments.length > 0);
    const [pull] = stack.repositoryOnGitHub.pulls;
    expect(pull).toMatchObject({ draft: true, labels: ['docs'] });
    expect(pull!.body).toContain(`[acme/api#1](${stack.github.webUrl}/acme/api/pull/1)`);
    expect(api.comments[0]!.body).toContain(run!.prLink);
    // Ada may not review here.
    expect(pull!.reviewers).toEqual([]);
    expect(await stage.runs(id)).toHaveLength(1);
    expect(stack.repositoryOnGitHub.pulls).toHaveLength(1);
  }, 200_000);

  it('is skipped by its label, and its comment says that no docs change is needed', async () => {
    stack.repositoryOnGitHub.roles = { ada: 'write' };
    await deliver(merge('Skip me', 'skip();\n', ['docs: skip']));
    const [skipped] = await stage.done(id, 2);
    expect(skipped).toMatchObject({
      outcome: 'no_action',
      reason: 'The change has the label "docs: skip".',
    });
    gate = [verdict(false, 'Only a test.')];
    await deliver(merge('Test', 'test();\n'));
    await stage.done(id, 3);
    await until('the comment is there', () => api.comments.length > 1);
    expect(api.comments.map(({ pull }) => pull)).toEqual([1, 3]);
    expect(api.comments[1]!.body).toContain('No docs change needed.');
    expect(api.comments[1]!.body).not.toContain('Only a test.');
  }, 200_000);

  it('judges all commits of a pull request that was rebased, and says so in a comment of its own', async () => {
    const number = api.pulls.length + 1;
    const head = `change-${number}`;
    stack.github.git(api, 'branch', head, 'main');
    commitFiles(api.folder, { 'src/other.ts': 'other();\n' });
    for (const name of ['first', 'last'])
      commitFiles(api.folder, { [`src/${name}.ts`]: `${name}OfTwo();\n` }, head);
    rebase(api.folder, head, 'main');
    api.pulls.push({
      ...{ number, title: 'Two commits', body: '', head, base: 'main', draft: false },
      ...{ state: 'closed', mergedAt: new Date().toISOString(), lastCommit: null, fork: false },
      ...{ author: 'ada', labels: [], reviewers: [] },
      mergeCommit: stack.github.git(api, 'rev-parse', 'main').trim(),
    });
    const copy = { ...api.comments[0]!, pull: number, login: 'ada', bot: false };
    for (const login of ['ada', 'other[bot]'])
      api.comments.push({ ...copy, id: api.comments.length + 1, login, bot: login !== 'ada' });
    gate = [verdict(false, 'Both are internal.')];
    await deliver(number);
    await stage.done(id, 4);
    const question = JSON.stringify(
      stack.model.requests.findLast(({ body }) => isGate(body))!.body,
    );
    expect(question).toContain('firstOfTwo');
    expect(question).toContain('lastOfTwo');
    expect(question).not.toContain('other()');
    await until('the comment is there', () => api.comments.length === 5);
    expect(api.comments[4]).toMatchObject({ pull: number, login: 'docent[bot]' });
    expect(api.comments[3]!.body).toBe(copy.body);
  }, 200_000);

  it('asks a reviewer who may be asked, and reads what no delivery told', async () => {
    gate = [verdict(false, 'First.'), verdict(true, 'Second.')];
    script = [edit('second', 'third'), finish('Add it')];
    merge('Untold', 'untold();\n');
    await deliver(merge('Told', 'told();\n'));
    await stage.done(id, 6);
    await until(
      'the review is asked',
      () => stack.repositoryOnGitHub.pulls[0]!.reviewers.length > 0,
    );
    expect(stack.repositoryOnGitHub.pulls[0]!.reviewers).toEqual(['ada']);
    await until('both are told', () => api.comments.length === 7);
    expect(new Set(api.comments.map(({ pull }) => pull))).toEqual(new Set([1, 3, 4, 5, 6]));
  }, 200_000);

  it('asks GitHub nothing about a change that waits for its check', async () => {
    const freeIn = (seconds: number) =>
      stack.pool.query(
        `update automation_runs set checked_at = now() - interval '1 hour' + make_interval(secs => $1)
          where checked_at is not null`,
        [seconds],
      );
    await freeIn(6);
    gate = [verdict(false, 'Read later.')];
    const number = merge('One too many', 'later();\n');
    await deliver(number);
    await until('it is held back', async () => (await stage.runs(id))[0]?.state === 'held_back');
    await freeIn(12); // it looks twice in vain
    const [run] = await stage.done(id, 7);
    expect(run).toMatchObject({ outcome: 'no_action', reason: 'Read later.' });
    const reads = stack.github.state.requests.filter(
      request => request.startsWith('GET ') && request.endsWith(`/acme/api/pulls/${number}`),
    );
    expect(reads).toHaveLength(2);
  }, 200_000);
});
