import type { CommitPlan, RepositoryAddress } from '../../../hosts/host.ts';
import type { GitHubHost } from '../../../hosts/github/host.ts';
import { AppCredentials } from '../../../hosts/github/app.ts';
import { GitHubClient } from '../../../hosts/github/client.ts';
import { tokenCredentials } from '../../../hosts/github/credentials.ts';
import { FAILURES, type FailureType } from '../../../shared/jobs/failures.ts';
import { appOf, byApp, byToken, hostWith } from './client.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import type { Fault, Repository } from './state.ts';

const signal = new AbortController().signal;
const PULL = {
  title: 'Say hello',
  body: 'As asked.',
  head: 'docent/hello',
  base: 'main',
  draft: false,
  jobId: 'job_1',
};
let github: GitHubStandIn;
let count = 0;

beforeAll(async () => {
  github = await startGitHub();
});
afterAll(() => github.stop());
beforeEach(() => {
  github.state.faults.length = 0;
});

function sample(files: Record<string, string> = { 'docs/index.md': '# Start\n' }) {
  const repository = github.addRepository(`acme/site-${count++}`, files);
  const address: RepositoryAddress = {
    host: 'github',
    repository: `${repository.owner}/${repository.name}`,
  };
  return { repository, address, main: github.git(repository, 'rev-parse', 'main').trim() };
}

const edit = (parent: string): CommitPlan => ({
  parent,
  changes: new Map([['docs/index.md', Buffer.from('# Hello\n')]]),
  message: 'Say hello',
  time: 1_767_225_600,
});

async function failure(
  work: Promise<unknown>,
): Promise<{ type: FailureType; message: string; retryAfterMs: number | undefined }> {
  const error: unknown = await work.then(
    () => {
      throw new Error('it did not fail');
    },
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'RepositoryError' });
  const { type, message, retryAfterMs } = error as {
    type: FailureType;
    message: string;
    retryAfterMs: number | undefined;
  };
  for (const { value } of github.state.tokens)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(value);
  return { type, message, retryAfterMs };
}

/** An address at which nobody listens. */
async function closedUrl(): Promise<string> {
  const other = await startGitHub();
  await other.stop();
  return other.apiUrl;
}

describe('what is set wrong is named', () => {
  it.each<[string, (repository: Repository) => GitHubHost, FailureType, RegExp]>([
    [
      'a repository that is not there',
      repository => {
        repository.name = 'gone';
        return byToken(github);
      },
      'repository_not_found',
      /has no repository acme.*correct the name/,
    ],
    [
      'a token that is wrong',
      () => byToken(github, 'ghp_wrong'),
      'credentials_refused',
      /wrong, expired or revoked/,
    ],
    [
      'a token that may only read',
      () =>
        byToken(
          github,
          github.personalToken({ metadata: 'read', contents: 'read', pull_requests: 'read' }),
        ),
      'credentials_refused',
      /may not write.*read and write access to Contents and Pull requests/,
    ],
    [
      'an archived repository',
      repository => {
        repository.disabled = true;
        return byToken(github);
      },
      'repository_archived',
      /disabled/,
    ],
    [
      'an App that is not installed there',
      () => byApp(github),
      'repository_not_found',
      /not installed on acme/,
    ],
    [
      'an App that GitHub does not know',
      () =>
        hostWith(
          github,
          new AppCredentials({
            appId: '8',
            privateKey: github.privateKey,
            apiUrl: github.apiUrl,
            refuseForeign: async () => undefined,
          }),
        ),
      'credentials_refused',
      /GITHUB_APP_ID/,
    ],
    [
      'an installation without write access',
      repository => {
        github.install([repository], {
          contents: 'read',
          metadata: 'read',
          pull_requests: 'write',
        });
        return byApp(github);
      },
      'credentials_refused',
      /lacks a permission/,
    ],
    [
      'a suspended installation',
      repository => {
        github.install([repository]);
        github.state.installations.at(-1)!.suspended = true;
        return byApp(github);
      },
      'credentials_refused',
      /suspended/,
    ],
    [
      'GITHUB_TOKEN with several organizations',
      () =>
        hostWith(
          github,
          tokenCredentials(github.personalToken(), async () => 2),
        ),
      'credentials_refused',
      /one organization only/,
    ],
  ])('%s', async (_, arrange, type, sentence) => {
    const { repository, address } = sample();
    const found = await failure(arrange(repository).describe(address));
    expect(found).toMatchObject({ type, message: expect.stringMatching(sentence) });
    expect(FAILURES[found.type]).toMatchObject({
      retry: false,
      haltReason: 'repohost_missconfigured',
    });
  });

  it('an archived repository, also when it was archived between two steps', async () => {
    const { repository, address, main } = sample();
    const host = byToken(github);
    repository.archived = true;
    expect(await host.describe(address)).toMatchObject({ archived: true });
    expect(
      await failure(host.push(address, 'docent/hello', edit(main), null, signal)),
    ).toMatchObject({ type: 'repository_archived' });
    expect(await failure(host.openPullRequest(address, PULL))).toMatchObject({
      type: 'repository_archived',
    });
  });

  it('an empty repository, and a branch that is not there', async () => {
    const empty = sample({});
    expect(await byToken(github).describe(empty.address)).toMatchObject({ empty: true });
    const { address } = sample();
    expect(await byToken(github).resolveBranch(address, 'nowhere')).toBeNull();
    expect(await failure(byToken(github).openPullRequest(address, PULL))).toMatchObject({
      type: 'push_refused',
      message: expect.stringContaining('Validation Failed'),
    });
  });

  it.each<[string, string, RegExp]>([
    ['a protected branch', 'protected branch hook declined', /is protected/],
    [
      'a workflow',
      'refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission',
      /without the workflows permission/,
    ],
    ['a ruleset', 'push declined due to repository rule violations', /ruleset/],
    ['push protection', 'GH009: Secrets detected! push declined', /secret/],
    ['whatever else', 'pre-receive hook declined', /pre-receive hook declined/],
  ])('a push that is refused: %s', async (_, reason, sentence) => {
    const { repository, address, main } = sample();
    repository.refusePush = reason;
    expect(
      await failure(byToken(github).push(address, 'docent/hello', edit(main), null, signal)),
    ).toMatchObject({ type: 'push_refused', message: expect.stringMatching(sentence) });
  });

  it.each([
    ['unpack unpack-objects abnormal exit', 'repository_failing'],
    ['unpack unable to create temporary object directory', 'repository_failing'],
    ['unable to migrate objects to permanent storage', 'repository_failing'],
    ['', 'repository_failing'], // it died before it reported
    ['unpack ok', 'repository_failing'],
    ['unpack index-pack abnormal exit fatal: pack exceeds maximum allowed size', 'push_refused'],
  ])('a push that the server could not store: %s', async (reason, type) => {
    const { repository, address, main } = sample();
    repository.refusePush = reason;
    expect(
      await failure(byToken(github).push(address, 'docent/hello', edit(main), null, signal)),
    ).toMatchObject({ type });
  });

  it('a push that is refused is explained by what GitHub says, not by what the branch is called', async () => {
    const { repository, address, main } = sample();
    repository.refusePush = 'pre-receive hook declined';
    for (const branch of ['docent/rotate-email-secrets', 'docent/archived-ruleset']) {
      expect(
        await failure(byToken(github).push(address, branch, edit(main), null, signal)),
      ).toMatchObject({
        type: 'push_refused',
        message: expect.stringContaining('pre-receive hook declined'),
      });
    }
  });

  it('a push by whom may only read', async () => {
    const { address, main } = sample();
    const host = byToken(
      github,
      github.personalToken({ metadata: 'read', contents: 'read', pull_requests: 'read' }),
    );
    expect(
      await failure(host.push(address, 'docent/hello', edit(main), null, signal)),
    ).toMatchObject({ type: 'credentials_refused', message: expect.stringContaining('write') });
  });
});

describe('what GitHub answers', () => {
  it.each<[string, Omit<Fault, 'path'>, FailureType, RegExp, number | null]>([
    ['500', { status: 500 }, 'repository_failing', /status 500/, null],
    ['502', { status: 502 }, 'repository_failing', /status 502/, null],
    [
      'a connection that breaks',
      { status: 0 },
      'repository_unreachable',
      /cannot be reached/,
      null,
    ],
    [
      '429 with Retry-After',
      { status: 429, headers: { 'retry-after': '7' } },
      'repository_rate_limited',
      /limiting/,
      7_000,
    ],
    ['429 without', { status: 429 }, 'repository_rate_limited', /limiting/, 60_000],
    [
      'the secondary limit',
      {
        status: 403,
        message: 'You have exceeded a secondary rate limit. Please wait a few minutes.',
      },
      'repository_rate_limited',
      /limiting/,
      60_000,
    ],
    [
      'the secondary limit with Retry-After',
      {
        status: 403,
        message: 'You have exceeded a secondary rate limit.',
        headers: { 'retry-after': '30' },
      },
      'repository_rate_limited',
      /limiting/,
      30_000,
    ],
    [
      'no permission',
      { status: 403, message: 'Resource not accessible by integration', times: 2 },
      'credentials_refused',
      /read and write access/,
      null,
    ],
    [
      'single sign-on',
      { status: 403, message: 'Resource protected by organization SAML enforcement.', times: 2 },
      'credentials_refused',
      /single sign-on/,
      null,
    ],
    [
      'a block for legal reasons',
      { status: 451, message: 'Repository access blocked' },
      'repository_not_found',
      /legal reasons/,
      null,
    ],
    [
      'an empty repository',
      { status: 409, message: 'Git Repository is empty.' },
      'repository_empty',
      /no commit yet/,
      null,
    ],
    [
      'a redirect to another host',
      { status: 301, headers: { location: 'http://localhost:9/elsewhere' } },
      'repository_not_found',
      /localhost:9, which is not followed/,
      null,
    ],
  ])('%s', async (_, fault, type, sentence, wait) => {
    const { address } = sample();
    github.fail({ path: /\/pulls\/1$/, ...fault });
    const found = await failure(byToken(github).getPullRequest(address, 1));
    expect(found).toMatchObject({ type, message: expect.stringMatching(sentence) });
    expect(found.retryAfterMs ?? null).toBe(wait);
  });

  it('the primary limit: waits until its reset', async () => {
    const { address } = sample();
    github.fail({
      path: /\/pulls\/1$/,
      status: 403,
      message: 'API rate limit exceeded',
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 600),
      },
    });
    const { type, retryAfterMs } = await failure(byToken(github).getPullRequest(address, 1));
    expect(type).toBe('repository_rate_limited');
    expect(retryAfterMs).toBeGreaterThan(590_000);
    expect(retryAfterMs).toBeLessThanOrEqual(600_000);
  });

  it('one tenant’s limit holds up nobody else', async () => {
    const { address } = sample();
    const other = sample();
    github.fail({
      path: new RegExp(`${address.repository}/pulls$`),
      status: 429,
      headers: { 'retry-after': '60' },
    });
    const host = byToken(github);
    await failure(host.openPullRequest(address, PULL));
    const started = performance.now();
    await host.describe(other.address);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('no address at all is a sentence too', async () => {
    const host = hostWith(github, appOf(github));
    expect(await failure(host.describe({ host: 'github', repository: '../etc' }))).toMatchObject({
      type: 'repository_not_found',
      message: expect.stringContaining('owner/name'),
    });
    const closed = new GitHubClient(
      await closedUrl(),
      tokenCredentials('ghp_x', async () => 1),
    );
    expect(
      await failure(
        closed.call('a/b', octokit => octokit.rest.repos.get({ owner: 'a', repo: 'b' })),
      ),
    ).toMatchObject({
      type: 'repository_unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
