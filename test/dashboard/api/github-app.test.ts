import { createHmac } from 'node:crypto';
import type { AppManifest, GitHubReturned } from '../../../shared/dashboard/github.ts';
import { keepApp, StoredApp } from '../../../hosts/github/stored-app.ts';
import { openHosts } from '../../../hosts/registry.ts';
import { GitRepositories } from '../../../hosts/git/repositories.ts';
import { readConfig } from '../../../shared/config.ts';
import { dumpOf } from '../../support/services.ts';
import { type GitHubDashboard, NO_APP, startGitHubDashboard } from './github-harness.ts';
import type { Browser } from './harness.ts';

const ENCRYPTION_KEY = 'a key of the tests, of more than 32 characters';
const APP = '/organizations/acme/github/app';

let dashboard: GitHubDashboard;
let owner: Browser;
beforeAll(async () => {
  dashboard = await startGitHubDashboard({
    ...NO_APP,
    ENCRYPTION_KEY,
  });
  owner = await dashboard.signIn('owner@acme.test', 'owner');
});
afterAll(() => dashboard.close());

const back = (body: object, browser = owner) =>
  browser.call('POST', '/organizations/acme/github/back', { body });
const begin = (body: object = {}, browser = owner) => browser.json<AppManifest>('POST', APP, body);
const byHook = (secret: string) => {
  const payload = JSON.stringify({ zen: 'Design for failure.' });
  const signature = createHmac('sha256', secret).update(payload).digest('hex');
  return dashboard.app.inject({
    method: 'POST',
    url: '/github/webhook',
    headers: {
      host: 'docent.test',
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'one',
      'x-hub-signature-256': `sha256=${signature}`,
    },
    payload,
  });
};

it('refuses ways that were not begun here, by this session, or that lack a code', async () => {
  const other = await dashboard.signIn('second@acme.test', 'owner');
  const answer = await dashboard.createsApp(await begin({}, other));
  for (const [body, browser] of [
    [answer, owner], // of another session
    [{ ...answer, state: `acme.${'x'.repeat(43)}` }, other],
  ] as const)
    expect((await back(body, browser)).statusCode).toBe(403);
  expect((await back({ state: (await begin()).url.split('state=')[1]! })).statusCode).toBe(409);
  const late = await dashboard.createsApp(await begin());
  await dashboard.pool.query("update github_ways set expires_at = now() - interval '1 second'");
  expect((await back(late)).statusCode).toBe(403);
  const madeUp = await dashboard.createsApp(await begin());
  const refused = await back({ ...madeUp, code: '../../user' });
  expect([refused.statusCode, refused.json().error]).toEqual([
    409,
    expect.stringContaining('GitHub did not hand out the App (status 404)'),
  ]);
  expect(dashboard.github.state.requests.at(-1)).toContain('/app-manifests/..%2F..%2Fuser/');
  expect(await dashboard.connection(owner)).toMatchObject({ by: 'none', canCreateApp: true });
  expect((await byHook('anything')).statusCode).toBe(404);
});

it('is for owners of the installation, without an App in the environment, with a key', async () => {
  const member = await dashboard.signIn('member@acme.test', 'member');
  expect((await member.call('POST', APP, { body: {} })).statusCode).toBe(403);
  const { organizationId } = dashboard.stranger;
  const theirs = await dashboard.signIn('owner@stranger.test', 'owner', organizationId);
  const path = '/organizations/stranger/github/app';
  expect((await theirs.call('POST', path, { body: {} })).statusCode).toBe(403);
  const bad = await owner.call('POST', APP, { body: { account: 'a/../b' } });
  expect([bad.statusCode, bad.json().errors[0].path]).toEqual([400, 'account']);
  const { config } = dashboard;
  delete config.ENCRYPTION_KEY;
  expect((await owner.call('POST', APP, { body: {} })).json().error).toMatch(/ENCRYPTION_KEY/);
  expect(await dashboard.connection(owner)).toMatchObject({ canCreateApp: false });
  config.ENCRYPTION_KEY = ENCRYPTION_KEY;
});

it('creates the App, stores it encrypted, and every process uses it without a restart', async () => {
  const { github, pool, config } = dashboard;
  // Another process, such as a worker, that started before.
  const settings = readConfig({
    DATABASE_URL: config.DATABASE_URL,
    GITHUB_API_URL: github.apiUrl,
    ENCRYPTION_KEY,
  });
  const worker = new StoredApp(settings, pool);
  await worker.read();
  const author = { name: 'Docent', email: 'docent@localhost' };
  const hostFor = openHosts({
    config: settings,
    pool,
    repositories: new GitRepositories(`${config.DATA_DIR}/worker`, author),
  });
  const docs = { host: 'github', repository: 'acme/docs' };
  expect(() => hostFor(docs)).toThrow('not configured');

  const begun = await begin({ account: 'acme' });
  expect(begun.url).toMatch(
    /^http:\/\/127\.0\.0\.1:\d+\/organizations\/acme\/settings\/apps\/new\?state=acme\.[\w-]{43}$/,
  );
  expect(JSON.parse(begun.manifest)).toMatchObject({
    public: false,
    default_permissions: { contents: 'write', pull_requests: 'write', metadata: 'read' },
    hook_attributes: { url: 'http://docent.test/github/webhook', active: true },
    callback_urls: ['http://docent.test/dashboard/-/github'],
  });
  const answer = await dashboard.createsApp(begun);
  const returned = await back(answer);
  expect([returned.statusCode, returned.json<GitHubReturned>()]).toEqual([
    200,
    {
      connected: null,
      continueAt: expect.stringMatching(/\/apps\/docent\/installations\/new\?state=acme\./),
    },
  ]);
  expect((await back(answer)).statusCode).toBe(403); // good once
  expect(await dashboard.connection(owner)).toMatchObject({
    by: 'app',
    problem: null,
    canConnect: true,
  });
  const { webhookSecret, pem } = github.state.people.appKeys;
  expect((await byHook(webhookSecret)).statusCode).toBe(200);
  expect((await byHook('another')).statusCode).toBe(401);

  const repository = github.addRepository('acme/docs', { 'index.md': '# A\n' });
  repository.roles = { ada: 'write' };
  github.state.people.installsOn = [repository];
  const installed = await dashboard.onGitHub({ url: returned.json().continueAt }, 'ada', 'Install');
  const proof = await back(installed);
  const proven = await dashboard.onGitHub({ url: proof.json().continueAt });
  expect((await back(proven)).json()).toEqual({ continueAt: null, connected: 'acme' });
  await worker.read();
  expect(await hostFor(docs).resolveBranch(docs, 'main')).toMatch(/^[0-9a-f]{40}$/);

  const dump = await dumpOf(pool);
  expect(dump).toContain('host.app_created');
  for (const secret of [webhookSecret, pem.split('\n')[3]!, github.state.people.clientSecret])
    expect(dump).not.toContain(secret);
});

it('says what is wrong with a key that does not open it, and leaves an environment alone', async () => {
  const { pool, config } = dashboard;
  const read = async (env: Record<string, string>) => {
    const settings = readConfig({ DATABASE_URL: config.DATABASE_URL, ...env });
    const app = new StoredApp(settings, pool);
    await app.read();
    return [app.problem, settings.GITHUB_APP_ID];
  };
  expect(await read({ ENCRYPTION_KEY: 'another key, also of more than 32 characters' })).toEqual([
    expect.stringContaining('ENCRYPTION_KEY does not open what the database keeps'),
    undefined,
  ]);
  expect(await read({})).toEqual([expect.stringContaining('ENCRYPTION_KEY is not set'), undefined]);
  expect(await read({ ENCRYPTION_KEY })).toEqual([null, '7']);
  expect(await read({ ENCRYPTION_KEY, GITHUB_TOKEN: 'ghp_x' })).toEqual([null, undefined]);

  // A new App in place of it, which has no webhook.
  const keys = { privateKey: 'x', clientId: 'x', clientSecret: 'x', webhookSecret: null };
  await keepApp(pool, ENCRYPTION_KEY, { appId: '8', ...keys });
  const settings = readConfig({ ENCRYPTION_KEY, GITHUB_WEBHOOK_SECRET: 'of the one before' });
  await new StoredApp(settings, pool).read();
  expect([settings.GITHUB_APP_ID, settings.GITHUB_WEBHOOK_SECRET]).toEqual(['8', undefined]);
});
