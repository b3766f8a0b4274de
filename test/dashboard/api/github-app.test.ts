import { createHmac } from 'node:crypto';
import type { AppManifest, GitHubReturned } from '../../../api/dashboard/contract/github.ts';
import { claimInstallation } from '../../../db/github/installations.ts';
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
const createdActs = async () =>
  (await dashboard.pool.query("select 1 from audit_log where action = 'host.app_created'"))
    .rowCount;
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
  // Each process tells it once, in its log.
  const told: unknown[] = [];
  const settings = readConfig({ ENCRYPTION_KEY: 'a third key, of more than 32 characters, too' });
  const stop = await new StoredApp(settings, pool).follow(error => told.push(error));
  stop();
  expect(told).toEqual([
    expect.objectContaining({ message: expect.stringContaining('ENCRYPTION_KEY does not open') }),
  ]);
});

it('is not replaced by another one, whoever comes back with it', async () => {
  const { pool, github } = dashboard;
  const conflict = await owner.call('POST', APP, { body: {} });
  expect([conflict.statusCode, conflict.json().error]).toEqual([
    409,
    expect.stringContaining('There is a GitHub App already: remove it here first.'),
  ]);
  expect(await dashboard.connection(owner)).toMatchObject({ canCreateApp: false });
  // Neither by ways that were begun before it was there, of which two come back at once.
  await pool.query('create table kept as select * from github_app');
  await pool.query('delete from github_app');
  const ways = [await begin(), await begin(), await begin()];
  const [one, two, late] = await Promise.all(ways.map(way => dashboard.createsApp(way)));
  const answers = await Promise.all([back(one!), back(two!)]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await createdActs()).toBe(2);
  expect((await back(late!)).statusCode).toBe(409);
  // The code of the third is not spent.
  const { manifests } = github.state.people;
  expect(manifests.find(({ code }) => code === late!.code)?.used).toBe(false);
  await pool.query('delete from github_app');
  await pool.query('insert into github_app select * from kept');
});

it('is stored only with a key that works', async () => {
  const { pool, github } = dashboard;
  const { appKeys } = github.state.people;
  const { pem } = appKeys;
  await pool.query('delete from github_app');
  for (const bad of ['', 'not a key', pem.slice(0, pem.length / 2)]) {
    appKeys.pem = bad;
    const answer = await back(await dashboard.createsApp(await begin()));
    expect([answer.statusCode, answer.json().error]).toEqual([
      409,
      expect.stringContaining('GitHub did not hand out the App'),
    ]);
  }
  appKeys.pem = pem;
  expect((await pool.query('select 1 from github_app')).rowCount).toBe(0);
  await pool.query('insert into github_app select * from kept');
});

it('is removed by owners of the installation, and no process uses it any more', async () => {
  const { pool, config, tenant, stranger } = dashboard;
  const settings = readConfig({ ENCRYPTION_KEY, GITHUB_WEBHOOK_SECRET: 'of the environment' });
  const worker = new StoredApp(settings, pool);
  await worker.read();
  expect([settings.GITHUB_APP_ID, settings.GITHUB_WEBHOOK_SECRET]).toEqual([
    '7',
    dashboard.github.state.people.appKeys.webhookSecret,
  ]);
  await claimInstallation(pool, {
    id: 9_001,
    organizationId: stranger.organizationId,
    account: 'strangers',
  });
  const theirs = await dashboard.signIn('next@stranger.test', 'owner', stranger.organizationId);
  expect(await dashboard.connection(theirs, 'stranger')).toMatchObject({ storedApp: null });
  const path = `${APP}/7`;
  expect((await theirs.call('DELETE', path.replace('acme', 'stranger'))).statusCode).toBe(403);
  expect(await dashboard.connection(owner)).toMatchObject({
    storedApp: { id: '7', isUsed: true, projects: 0 },
  });
  expect((await owner.call('DELETE', `${APP}/8`)).statusCode).toBe(404); // of another tab

  expect(await owner.json('DELETE', path)).toMatchObject({
    by: 'none',
    canCreateApp: true,
    storedApp: null,
    installations: [],
  });
  expect(config.GITHUB_APP_ID).toBeUndefined();
  expect((await byHook(dashboard.github.state.people.appKeys.webhookSecret)).statusCode).toBe(404);
  await worker.read();
  expect([settings.GITHUB_APP_ID, settings.GITHUB_WEBHOOK_SECRET]).toEqual([
    undefined,
    'of the environment',
  ]);
  const { rows } = await pool.query(
    `select organization_id as organization, action, subject_name as name from audit_log
      where action in ('host.app_removed', 'host.disconnected') order by action, name`,
  );
  expect(rows).toEqual([
    { organization: tenant.organizationId, action: 'host.app_removed', name: null },
    { organization: tenant.organizationId, action: 'host.disconnected', name: 'acme' },
    { organization: stranger.organizationId, action: 'host.disconnected', name: 'strangers' },
  ]);
  expect((await owner.call('DELETE', path)).statusCode).toBe(404);

  // In place of it comes one without a webhook, which accepts nothing that it signed.
  const keys = { privateKey: 'x', clientId: 'x', clientSecret: 'x', webhookSecret: null };
  expect(await keepApp(pool, ENCRYPTION_KEY, { appId: '8', ...keys })).toBe(true);
  await worker.read();
  expect([settings.GITHUB_APP_ID, settings.GITHUB_WEBHOOK_SECRET]).toEqual([
    '8',
    'of the environment',
  ]);
});
