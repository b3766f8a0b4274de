import { createHmac, randomUUID } from 'node:crypto';
import { type RunningDocent, startDocent, temporaryFolder } from '../../support/docent.ts';
import { settingsOf } from '../../support/fork-worker.ts';
import type { ScriptedReply } from '../../support/scripted-model.ts';
import { dumpOf } from '../../support/services.ts';
import { type GitHubJobStack, startGitHubJobStack } from './job-stack.ts';

const FILES = { 'docs/guide.md': '---\ntitle: Guide\n---\n\n# Guide\n\nThe first line.\n' };
const SECRET = 'webhook-secret-of-the-tests';
const TURN: ScriptedReply[] = [
  {
    toolUses: [
      {
        name: 'str_replace_based_edit_tool',
        input: {
          command: 'str_replace',
          path: 'docs/guide.md',
          old_str: 'The first line.',
          new_str: 'A line.',
        },
      },
    ],
  },
  {
    toolUses: [
      { name: 'finish', input: { title: 'Change the line', body: 'As asked.', message: 'Done.' } },
    ],
  },
];

/**
 * API and worker as processes of their own, at their most talkative, with GitHub failing in every
 * way that carries a token.
 */
describe('what Docent writes down', () => {
  let stack: GitHubJobStack;
  let worker: RunningDocent;
  let api: RunningDocent;
  beforeAll(async () => {
    const script = (request: { messages: { role: string }[] }): ScriptedReply =>
      TURN[request.messages.filter(message => message.role === 'assistant').length] ?? {
        text: 'Done.',
      };
    stack = await startGitHubJobStack({ files: FILES, script, noWorker: true });
    stack.repositoryOnGitHub.roles = { ada: 'write' };
    const { LOCAL_HOST_TOKEN: _, ...settings } = settingsOf(stack);
    const env = { ...settings, LOG_LEVEL: 'trace' };
    worker = startDocent(await temporaryFolder(), ['worker'], env);
    api = startDocent(await temporaryFolder(), ['api'], { ...env, PORT: '0' });
    await api.prints(/listening at/);
  }, 60_000);
  afterAll(async () => {
    for (const child of [worker, api]) child.process.kill('SIGTERM');
    await Promise.all([worker.ended, api.ended]);
    await stack.close();
  }, 60_000);

  it('holds no token of GitHub, and no key', async () => {
    const { github } = stack;
    github.fail({ path: /installation$/, status: 502 });
    github.fail({ path: /access_tokens$/, status: 0 });
    github.fail({ path: /\/branches$/, status: 401, message: 'Bad credentials' });
    github.fail({ path: /git-upload-pack$/, status: 500 });
    github.fail({ path: /git-receive-pack$/, status: 401 });
    github.fail({
      method: 'POST',
      path: /\/pulls$/,
      status: 301,
      headers: { location: 'http://localhost:9/' },
      times: 0,
    });
    github.fail({ method: 'POST', path: /\/pulls$/, status: 502, after: true });
    const job = await stack.rest((await stack.create('Change the line')).id);
    expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    github.fail({ path: /collaborators/, status: 500 });
    const url = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(api.output())?.[1] ?? '';
    expect([await deliver(url), await deliver(url)]).toEqual([202, 200]);
    await stack.rest(job.id);

    const written = [worker.output(), api.output()];
    expect(written[0]).toMatch(/repository_failing|RepositoryError/);
    expect(written[1]).toContain('/github/webhook');
    written.push(
      await dumpOf(stack.pool),
      JSON.stringify(await stack.temporal.workflow.getHandle(job.id).fetchHistory()),
      JSON.stringify(stack.repositoryOnGitHub.pulls),
    );
    written.push(stack.github.git(stack.repositoryOnGitHub, 'log', '--all', '--format=%B'));

    const tokens = github.state.tokens.map(token => token.value);
    expect(tokens.length).toBeGreaterThan(1);
    const secrets = [
      SECRET,
      stack.config.GITHUB_APP_PRIVATE_KEY!.split('\n')[1]!,
      ...tokens,
      ...tokens.map(token => Buffer.from(`x-access-token:${token}`).toString('base64')),
    ];
    const all = written.join('\n');
    expect(secrets.filter(secret => all.includes(secret))).toEqual([]);
    expect(all).not.toMatch(/eyJhbGciOi/); // the App's own token
  }, 90_000);

  async function deliver(url: string): Promise<number> {
    const user = { login: 'ada', type: 'User' };
    const body = JSON.stringify({
      action: 'created',
      repository: { id: stack.repositoryOnGitHub.id, full_name: 'acme/docs' },
      sender: user,
      issue: { number: 1, pull_request: {} },
      comment: { id: 5, body: '@docent once more', user, created_at: new Date().toISOString() },
    });
    const response = await fetch(`${url}/github/webhook`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'issue_comment',
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      },
    });
    return response.status;
  }
});
