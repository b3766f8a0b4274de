import type {
  GitHubRepositoryList,
  RepositoryHealth,
  RepositoryInspection,
} from '../../../api/dashboard/contract/github.ts';
import type { IndexStatus, Project } from '../../../api/dashboard/contract/projects/projects.ts';
import { claimInstallation } from '../../../db/github/installations.ts';
import { indexWorkflowId } from '../../../shared/index-site.ts';
import { newToken, type Repository } from '../../hosts/github/state.ts';
import { type GitHubDashboard, startGitHubDashboard } from './github-harness.ts';
import type { Browser } from './harness.ts';

let dashboard: GitHubDashboard;
let owner: Browser;
let member: Browser;
let docs: Repository;
let theirs: Repository;
beforeAll(async () => {
  dashboard = await startGitHubDashboard();
  const { github, pool, tenant, stranger } = dashboard;
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  member = await dashboard.signIn('member@acme.test', 'member');
  docs = github.addRepository('acme/Docs', {
    'README.md': '# Acme\n',
    'site/docs.json': '{"name":"Acme","navigation":{"pages":["index"]}}',
    'site/index.md': '# Start\n',
  });
  github.git(docs, 'branch', 'next');
  github.addRepository('acme/tool-01', {});
  for (let i = 0; i < 34; i += 1)
    if (i !== 1)
      github.state.repositories.push({
        ...docs,
        id: 500 + i,
        name: `tool-${String(i).padStart(2, '0')}`,
      }); // to be listed, no more
  theirs = github.addRepository('stranger/secret', { 'index.md': '# Secret\n' });
  await claimInstallation(pool, {
    id: github.install(github.state.repositories.filter(each => each.owner === 'acme')),
    organizationId: tenant.organizationId,
    account: 'acme',
  });
  await claimInstallation(pool, {
    id: github.install([theirs]),
    organizationId: stranger.organizationId,
    account: 'stranger',
  });
}, 60_000);
afterAll(async () => {
  for (const { id } of (await dashboard.pool.query<{ id: string }>('select id from projects'))
    .rows) {
    await dashboard.temporal.schedule
      .getHandle(indexWorkflowId(id))
      .delete()
      .catch(() => undefined);
    await dashboard.temporal.workflow
      .getHandle(indexWorkflowId(id))
      .terminate()
      .catch(() => undefined);
  }
  await dashboard.close();
});
beforeEach(() => {
  dashboard.github.state.faults.length = 0;
  docs.archived = false;
});

const repositories = (query = '', browser = owner) =>
  browser.json<GitHubRepositoryList>('GET', `/organizations/acme/github/repositories${query}`);
const inspect = (repository: string, more = '') =>
  owner.json<RepositoryInspection>(
    'GET',
    `/organizations/acme/github/repository?repository=${encodeURIComponent(repository)}${more}`,
  );
const add = (body: object) =>
  owner.call('POST', '/organizations/acme/projects', {
    body: { name: 'Docs', source: { type: 'github', repository: 'acme/Docs' }, ...body },
  });
const asItIs = (): void => undefined;
const names = (list: GitHubRepositoryList) => list.repositories.map(({ name }) => name);

it('offers the repositories of the organization’s installations, and no others', async () => {
  const first = await repositories();
  expect(first.repositories[0]).toEqual({ name: 'acme/Docs', private: true, archived: false });
  expect([first.repositories.length, first.nextCursor]).toEqual([30, 'acme/tool-28']);
  const second = await repositories(`?cursor=${first.nextCursor}`);
  expect([names(second), second.nextCursor]).toEqual([
    ['acme/tool-29', 'acme/tool-30', 'acme/tool-31', 'acme/tool-32', 'acme/tool-33'],
    null,
  ]);
  expect(names(await repositories('?search=DOC'))).toEqual(['acme/Docs']);
  expect(names(await repositories('?search=tool-1&cursor=acme/tool-17'))).toEqual([
    'acme/tool-18',
    'acme/tool-19',
  ]);
  expect(names(await repositories('?search=secret'))).toEqual([]);
  expect((await member.call('GET', '/organizations/acme/github/repositories')).statusCode).toBe(
    403,
  );
});

it('asks GitHub once for what somebody types, with a token that opens nothing', async () => {
  const { state } = dashboard.github;
  const mints = state.mints.slice();
  await repositories('?search=a');
  await repositories('?search=ab');
  expect(state.mints).toEqual(mints);
  expect(mints).toEqual([{ installation: 1000, body: { permissions: { metadata: 'read' } } }]);
  const other = await dashboard.signIn(
    'owner@stranger.test',
    'owner',
    dashboard.stranger.organizationId,
  );
  expect(await other.json('GET', '/organizations/stranger/github/repositories')).toMatchObject({
    repositories: [{ name: 'stranger/secret' }],
  });
});

it('proposes what a project would begin with', async () => {
  expect(await inspect('acme/Docs')).toEqual({
    problem: null,
    found: { repository: 'acme/Docs', baseRef: 'main', docsFolder: 'site' },
  });
  expect(await inspect('acme/Docs', '&baseRef=next')).toMatchObject({ found: { baseRef: 'next' } });
});

it.each<[string, string, string, RegExp, () => void]>([
  [
    'an archived one',
    'acme/Docs',
    '',
    /acme\/Docs is archived and read-only: unarchive it/,
    () => {
      docs.archived = true;
    },
  ],
  ['an empty one', 'acme/tool-01', '', /acme\/tool-01 has no commit yet: push one/, asItIs],
  [
    'a branch that is not there',
    'acme/Docs',
    '&baseRef=absent',
    /acme\/Docs has no branch absent/,
    asItIs,
  ],
  [
    'one that the App is not on',
    'acme/other',
    '',
    /No connected installation opens acme\/other: correct the name/,
    asItIs,
  ],
  [
    'one that is not connected',
    'nobody/docs',
    '',
    /No connected installation opens nobody\/docs: correct the name/,
    () => {
      dashboard.github.install([dashboard.github.addRepository('nobody/docs', {})]);
    },
  ],
  [
    'another organization’s',
    'stranger/secret',
    '',
    /No connected installation opens stranger\/secret: correct the name/,
    asItIs,
  ],
  ['what is no name', '../etc', '', /No connected installation opens \.\.\/etc/, asItIs],
  [
    'GitHub that does not answer',
    'acme/Docs',
    '',
    /GitHub answers with status 502/,
    () => dashboard.github.fail({ path: /\/repos\/acme\/Docs$/, status: 502 }),
  ],
])('says in one sentence what is missing: %s', async (_, repository, more, sentence, arrange) => {
  arrange();
  expect(await inspect(repository, more)).toEqual({
    problem: expect.stringMatching(sentence),
    found: null,
  });
});

it('makes a project of it, and has it indexed', async () => {
  const made = await add({ domain: 'docs', siteUrl: 'https://docs.acme.test/' });
  expect(made.statusCode).toBe(201);
  expect(made.json()).toMatchObject({
    host: 'github',
    repository: 'acme/Docs',
    repositoryUrl: `${dashboard.github.webUrl}/acme/Docs`,
    baseRef: 'main',
    docsFolder: 'site',
    public: false,
    siteUrl: 'https://docs.acme.test',
  });
  const { id } = made.json<Project>();
  expect(await owner.json<IndexStatus>('GET', `/projects/${id}/index`)).toMatchObject({
    built: null,
    run: 'running',
  });
  expect(
    (await dashboard.temporal.schedule.getHandle(indexWorkflowId(id)).describe()).spec.intervals,
  ).toMatchObject([{ every: 3_600_000 }]);
  expect(
    (await add({ domain: 'elsewhere', baseRef: 'next', docsFolder: '/guides/' })).json(),
  ).toMatchObject({ baseRef: 'next', docsFolder: 'guides' });
});

it.each([
  [{ domain: 'docs' }, 409, 'domain'],
  [{ domain: 'a1', baseRef: 'absent' }, 400, 'baseRef'],
  [
    { domain: 'a2', source: { type: 'github', repository: 'acme/tool-01' } },
    400,
    'source.repository',
  ],
  [
    { domain: 'a3', source: { type: 'github', repository: 'stranger/secret' } },
    400,
    'source.repository',
  ],
  [{ domain: 'a4', source: { type: 'github', repository: '../../etc' } }, 400, 'source.repository'],
  [{ domain: 'a5', source: { type: 'github' } }, 400, 'source'],
])('makes none of %j', async (body, status, path) => {
  const before = await dashboard.pool.query('select count(*) from projects');
  const answer = await add(body);
  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([status, path]);
  expect((await dashboard.pool.query('select count(*) from projects')).rows).toEqual(before.rows);
});

it('makes none while GitHub is away, or wants us to wait', async () => {
  dashboard.github.fail({ path: /\/repos\/acme\/Docs$/, status: 500 });
  const away = await add({ domain: 'a6' });
  expect([away.statusCode, away.json().error]).toEqual([
    503,
    expect.stringMatching(/^GitHub answers with status 500/),
  ]);
  dashboard.github.fail({
    path: /\/repos\/acme\/Docs$/,
    status: 429,
    headers: { 'retry-after': '7' },
  });
  const limited = await add({ domain: 'a7' });
  expect([limited.statusCode, limited.headers['retry-after']]).toEqual([503, '7']);
});

it('tells members how a project’s repository is, and holds changes against it', async () => {
  const { id } = (await add({ domain: 'healthy' })).json<Project>();
  const health = () => member.json<RepositoryHealth>('GET', `/projects/${id}/repository`);
  expect(await health()).toEqual({ problem: null });
  expect(
    (
      await (
        await dashboard.signIn('viewer@acme.test', 'viewer')
      ).call('GET', `/projects/${id}/repository`)
    ).statusCode,
  ).toBe(403);
  docs.archived = true;
  expect((await health()).problem).toMatch(/acme\/Docs is archived/);
  docs.archived = false;
  const installation = dashboard.github.state.installations[0]!;
  const { permissions } = installation;
  installation.permissions = { contents: 'read', metadata: 'read' };
  expect((await health()).problem).toMatch(/lacks a permission on acme\/Docs/);
  installation.permissions = permissions;

  const absent = await owner.call('PATCH', `/projects/${id}`, { body: { baseRef: 'absent' } });
  expect([absent.statusCode, absent.json().errors[0].path]).toEqual([400, 'baseRef']);
  expect((await owner.json<Project>('PATCH', `/projects/${id}`, { baseRef: 'next' })).baseRef).toBe(
    'next',
  );
  dashboard.github.git(docs, 'branch', '-D', 'next');
  expect((await health()).problem).toMatch(/has no branch next: correct the project’s base branch/);
  expect(
    (await owner.call('PATCH', `/projects/${id}`, { body: { name: 'Other' } })).statusCode,
  ).toBe(200);
  expect(
    (await owner.call('GET', `/projects/${dashboard.tenant.project.id}/repository`)).statusCode,
  ).toBe(409);
});

it('hides only its own, where an installation is gone', async () => {
  const [broken] = dashboard.github.state.installations.splice(0, 1);
  await dashboard.pool.query('update github_installations set organization_id = $1', [
    dashboard.tenant.organizationId,
  ]);
  await owner.call('DELETE', '/organizations/acme/github/installations/999999'); // nothing there: what was kept stays
  expect(names(await repositories('?search=docs'))).toEqual(['acme/Docs']);
  await owner.json('DELETE', '/organizations/acme/github/installations/1001');
  const failed = await owner.call('GET', '/organizations/acme/github/repositories');
  expect([failed.statusCode, failed.json().error]).toEqual([
    409,
    expect.stringMatching(/^The GitHub App is not installed on acme,/),
  ]);
  await claimInstallation(dashboard.pool, {
    id: 1001,
    organizationId: dashboard.tenant.organizationId,
    account: 'stranger',
  });
  expect(names(await repositories())).toEqual(['stranger/secret']);
  dashboard.github.state.installations.unshift(broken!);
});

it('names what is in the way where an installation has moved to another organization', async () => {
  const { github, pool, stranger } = dashboard;
  const moved = github.addRepository('moving/docs', { 'docs/index.md': '# Start\n' });
  const id = github.install([moved]);
  await claimInstallation(pool, {
    id,
    organizationId: dashboard.tenant.organizationId,
    account: 'moving',
  });
  const source = { type: 'github', repository: 'moving/docs' };
  const left = (await add({ domain: 'left', source })).json<Project>();
  await owner.json('DELETE', `/organizations/acme/github/installations/${id}`);
  await claimInstallation(pool, { id, organizationId: stranger.organizationId, account: 'moving' });
  const problem = async () =>
    (await owner.json<RepositoryHealth>('GET', `/projects/${left.id}/repository`)).problem;
  expect(await problem()).toMatch(/belongs to another organization than the project/);

  const heir = await dashboard.signIn('heir@stranger.test', 'owner', stranger.organizationId);
  const take = () =>
    heir.call('POST', '/organizations/stranger/projects', {
      body: { name: 'Docs', domain: 'taken-over', source },
    });
  expect((await take()).json().error).toMatch(
    /^Another organization, too, has a project on moving\/docs/,
  );
  await owner.call('DELETE', `/projects/${left.id}`);
  expect((await take()).statusCode).toBe(201);
});

describe('by the operator’s token', () => {
  let byToken: GitHubDashboard;
  let someone: Browser;
  let site: Repository;
  beforeAll(async () => {
    byToken = await startGitHubDashboard({
      GITHUB_APP_ID: '',
      GITHUB_TOKEN: 'github_pat_of_the_tests',
    });
    someone = await byToken.signIn('owner@acme.test', 'owner');
    site = byToken.github.addRepository('acme/site', { 'docs/index.md': '# Start\n' });
  });
  afterAll(() => byToken.close());

  it('shows what it opens while there is one organization, and says what is missing', async () => {
    const problem = async () => (await byToken.connection(someone)).problem;
    expect(await byToken.connection(someone)).toEqual({
      by: 'token',
      problem:
        'GITHUB_TOKEN serves one organization only, and there are several: set up a GitHub App for your repositories.',
      callbackUrl: 'http://docent.test/dashboard/-/github',
      canConnect: false,
      canCreateApp: false,
      installations: [],
      storedApp: null,
      shown: [],
    });
    await byToken.pool.query('delete from api_keys where organization_id = $1', [
      byToken.stranger.organizationId,
    ]);
    await byToken.pool.query('delete from projects where organization_id = $1', [
      byToken.stranger.organizationId,
    ]);
    await byToken.pool.query('delete from organizations where id = $1', [
      byToken.stranger.organizationId,
    ]);
    expect(await problem()).toMatch(/credentials.*wrong, expired or revoked/);
    const token = newToken(byToken.github.state, 'ghp', [], {
      contents: 'write',
      pull_requests: 'write',
      metadata: 'read',
    });
    token.value = 'github_pat_of_the_tests';
    expect(await problem()).toMatch(
      /GITHUB_TOKEN opens no repository: give it the docs repository/,
    );
    expect(
      (
        await someone.call('POST', '/organizations/acme/github/leave', {
          body: { to: 'authorize' },
        })
      ).statusCode,
    ).toBe(409);
  });

  it('makes a project on what it may write to', async () => {
    const token = byToken.github.state.tokens.at(-1)!;
    byToken.github.addRepository('acme/hidden', { 'index.md': '# Hidden\n' });
    token.repositories = [site.id];
    const wanted = '/organizations/acme/github/repository?repository=acme/site';
    token.permissions = { contents: 'read', metadata: 'read' };
    expect(await someone.json<RepositoryInspection>('GET', wanted)).toEqual({
      problem: expect.stringMatching(/may not write to acme\/site: give it read and write access/),
      found: null,
    });
    token.permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' };
    expect(await someone.json<RepositoryInspection>('GET', wanted)).toEqual({
      problem: null,
      found: { repository: 'acme/site', baseRef: 'main', docsFolder: 'docs' },
    });
    expect(
      (
        await someone.json<RepositoryInspection>(
          'GET',
          '/organizations/acme/github/repository?repository=acme/hidden',
        )
      ).problem,
    ).toMatch(/no repository acme\/hidden/);
    const made = await someone.json<Project>('POST', '/organizations/acme/projects', {
      name: 'Site',
      domain: 'site',
      source: { type: 'github', repository: 'acme/site' },
    });
    expect(made).toMatchObject({ host: 'github', repository: 'acme/site' });
    await byToken.temporal.schedule.getHandle(indexWorkflowId(made.id)).delete();
    await byToken.temporal.workflow.getHandle(indexWorkflowId(made.id)).terminate();
  });
});

it('says what to set where nothing is set', async () => {
  const none = await startGitHubDashboard({ GITHUB_APP_ID: '', GITHUB_APP_PRIVATE_KEY: '' });
  const someone = await none.signIn('owner@acme.test', 'owner');
  expect(await none.connection(someone)).toMatchObject({
    by: 'none',
    problem:
      'GitHub is not set up: create an App in the dashboard, or set GITHUB_APP_ID or GITHUB_TOKEN.',
  });
  expect(await someone.json('GET', '/organizations/acme/repositories')).toMatchObject({
    hosts: [{ kind: 'github', name: 'GitHub', available: false, hasConnectPage: true }],
  });
  const list = await someone.call('GET', '/organizations/acme/github/repositories');
  expect([list.statusCode, list.json().error]).toEqual([
    409,
    'GitHub is not set up: create an App in the dashboard, or set GITHUB_APP_ID or GITHUB_TOKEN.',
  ]);
  await none.close();
});

it('says in one sentence which half of an App is missing', async () => {
  const half = await startGitHubDashboard({ GITHUB_APP_ID: '' });
  const someone = await half.signIn('owner@acme.test', 'owner');
  const sentence = 'GITHUB_APP_PRIVATE_KEY is set without GITHUB_APP_ID: set the App’s id, too.';
  expect(await half.connection(someone)).toMatchObject({ by: 'none', problem: sentence });
  expect((await someone.call('GET', '/organizations/acme/github/repositories')).json().error).toBe(
    sentence,
  );
  expect(
    (
      await someone.json<RepositoryInspection>(
        'GET',
        '/organizations/acme/github/repository?repository=acme/docs',
      )
    ).problem,
  ).toBe(sentence);
  await half.close();
});
