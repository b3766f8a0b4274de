import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importRepository } from '../../../hosts/local/new-repository.ts';
import type {
  IndexStatus,
  Project,
  RepositoryList,
} from '../../../api/dashboard/contract/projects/projects.ts';
import type { Session } from '../../../api/dashboard/contract/people.ts';
import { findRepository } from '../../../db/local-host/local-host.ts';
import { createProject } from '../../../db/projects/projects.ts';
import { indexWorkflowId } from '../../../shared/index-site.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

let dashboard: TestDashboard;
let owner: Browser;
let member: Browser;
let source: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  member = await dashboard.signIn('member@acme.test', 'member');
  source = mkdtempSync(join(tmpdir(), 'docent-source-'));
  mkdirSync(join(source, 'site'));
  writeFileSync(join(source, 'site', 'docs.json'), '{}');
  writeFileSync(join(source, 'site', 'index.md'), '# Hello\n');
  const at = {
    pool: dashboard.pool,
    dataDir: dashboard.config.DATA_DIR,
    publicUrl: 'http://docent.test',
  };
  for (const name of ['handbook', 'theirs']) await importRepository(at, { name }, source);
  // A repository belongs to whoever has a project on it.
  for (const [organizationId, name] of [
    [dashboard.tenant.organizationId, 'handbook'],
    [dashboard.stranger.organizationId, 'theirs'],
  ] as const) {
    await createProject(dashboard.pool, {
      organizationId,
      name,
      domain: name,
      host: 'local',
      repository: name,
      repositoryUrl: `http://docent.test/git/${name}.git`,
      baseRef: 'main',
    });
  }
});
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
  rmSync(source, { recursive: true, force: true });
});

const add = (body: object) =>
  owner.call('POST', '/organizations/acme/projects', {
    body: {
      name: 'Guide',
      domain: 'guide',
      source: { type: 'existing', repository: 'handbook' },
      ...body,
    },
  });

it('offers the organization’s own repositories', async () => {
  expect(await owner.json<RepositoryList>('GET', '/organizations/acme/repositories')).toEqual({
    available: true,
    hosts: [{ kind: 'github', name: 'GitHub', available: false, hasConnectPage: true }],
    repositories: [{ name: 'handbook', defaultBranch: 'main', branches: ['main'], public: false }],
  });
});

it('makes a project on one, finds its pages, and has it indexed', async () => {
  const made = await add({ siteUrl: 'https://guide.acme.test/' });
  expect([made.statusCode, made.json()]).toEqual([
    201,
    {
      id: expect.stringMatching(/^prj_/),
      organization: 'acme',
      name: 'Guide',
      domain: 'guide',
      siteUrl: 'https://guide.acme.test',
      host: 'local',
      repository: 'handbook',
      repositoryUrl: 'http://docent.test/git/handbook.git',
      baseRef: 'main',
      docsFolder: 'site',
      docsFolderDetected: true,
      siteKind: null,
      basePath: null,
      hostName: 'the built-in host',
      isCopy: true,
      needsCredentials: false,
      public: false,
      allowMdxCode: false,
      allowPaths: [],
      commitAuthor: null,
      signOff: false,
      contextRepositories: [],
      effort: null,
      webPages: [],
      allowedForms: [],
      budgetUsd: null,
      requirePlanApproval: false,
      createdAt: expect.any(String),
      activeJobs: 0,
      openPullRequests: 0,
      unanswered: 0,
    } satisfies Record<keyof Project, unknown>,
  ]);
  const { id } = made.json<Project>();
  expect(await owner.json('GET', `/projects/${id}`)).toEqual(made.json());
  expect(
    (await owner.json<Session>('GET', '/session')).organizations[0]!.projects.map(
      ({ domain }) => domain,
    ),
  ).toContain('guide');
  expect(await owner.json<IndexStatus>('GET', `/projects/${id}/index`)).toEqual({
    built: null,
    site: null,
    published: null,
    progress: null,
    run: 'running',
    failure: null,
    intervalMinutes: 60,
  });
  const schedule = await dashboard.temporal.schedule.getHandle(indexWorkflowId(id)).describe();
  expect(schedule.spec.intervals).toMatchObject([{ every: 3_600_000 }]);
});

it.each([
  [{ domain: 'handbook' }, 409, 'domain'],
  [{ domain: 'No' }, 400, 'domain'],
  [{ name: '  ' }, 400, 'name'],
  [{ domain: 'a1', baseRef: 'absent' }, 400, 'baseRef'],
  [{ domain: 'a2', baseRef: '--upload-pack=x' }, 400, 'baseRef'],
  [{ domain: 'a3', docsFolder: '../..' }, 400, 'docsFolder'],
  [{ domain: 'a3', docsFolder: 'nosuch' }, 400, 'docsFolder'],
  [{ domain: 'a4', siteUrl: 'javascript:alert(1)' }, 400, 'siteUrl'],
  [{ domain: 'a5', source: { type: 'existing', repository: 'theirs' } }, 400, 'source.repository'],
  [{ domain: 'a6', source: { type: 'existing', repository: 'never' } }, 400, 'source.repository'],
  [{ domain: 'a7', source: { type: 'import', url: '/etc' } }, 400, 'source.url'],
  [
    { domain: 'a8', source: { type: 'import', url: 'http://example.com/x.git' } },
    400,
    'source.url',
  ],
  [
    { domain: 'a9', source: { type: 'import', url: 'https://user:secret@example.com/x.git' } },
    400,
    'source.url',
  ],
  [{ domain: 'b1', source: { type: 'import', url: 'https://localhost/x.git' } }, 400, 'source.url'],
  [
    { domain: 'b2', source: { type: 'import', url: 'https://169.254.169.254/latest' } },
    400,
    'source.url',
  ],
  [{ domain: 'b3', source: { type: 'import', url: 'https://[::1]/x.git' } }, 400, 'source.url'],
  [{ domain: 'b4', source: { type: 'import', url: 'https://0x7f.1/x.git' } }, 400, 'source.url'],
  [
    { domain: 'b5', source: { type: 'import', url: 'https://[::ffff:10.0.0.1]/x.git' } },
    400,
    'source.url',
  ],
  [{ domain: 'b6', source: { type: 'import', url: 'ext::sh -c id' } }, 400, 'source.url'],
])('refuses %j', async (body, status, path) => {
  const before = await dashboard.pool.query('select count(*) from projects');
  const answer = await add(body);
  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([status, path]);
  expect(answer.body).not.toContain('secret');
  expect((await dashboard.pool.query('select count(*) from projects')).rows).toEqual(before.rows);
});

it('stores the repositories that jobs may read, if the organization may', async () => {
  const context = [{ repository: 'handbook', ref: 'main' }, { repository: 'handbook' }];
  const made = (await add({ domain: 'reading', contextRepositories: context })).json<Project>();
  const stored = [{ name: 'handbook', host: 'local', repository: 'handbook', ref: 'main' }];
  expect(made.contextRepositories).toEqual(stored);
  const path = `/projects/${made.id}`;
  const refusals = await Promise.all(
    [
      [{ repository: 'theirs' }],
      [{ repository: 'never' }],
      [{ repository: 'handbook', ref: 'absent' }],
      Array.from({ length: 11 }, () => ({ repository: 'handbook' })),
      [{ repository: 'https://169.254.169.254/latest' }],
    ].map(contextRepositories => owner.call('PATCH', path, { body: { contextRepositories } })),
  );
  for (const answer of refusals) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe('contextRepositories');
  }
  // One that is another organization's is as unknown as one that does not exist.
  const [theirs, never] = refusals.map(answer => answer.json().detail);
  expect(theirs.replace('theirs', 'never')).toBe(never);
  expect((await owner.json<Project>('GET', path)).contextRepositories).toEqual(stored);
  const none = await owner.json<Project>('PATCH', path, { contextRepositories: [] });
  expect(none.contextRepositories).toEqual([]);
});

const base64 = (text: string) => Buffer.from(text).toString('base64');
const uploads = (...paths: string[]) => ({
  type: 'upload',
  files: paths.map(path => ({ path, content: base64(`# ${path}\n`) })),
});

it('copies a folder of the browser to the built-in host', async () => {
  const folder = uploads('docs/index.md', 'docs/guide/Über uns.md', 'docs/.vitepress/config.mts');
  const made = await add({ domain: 'uploaded', source: folder });
  expect([made.statusCode, made.json()]).toEqual([
    201,
    expect.objectContaining({ repository: 'uploaded', isCopy: true, docsFolder: 'docs' }),
  ]);
  const taken = await add({ domain: 'uploaded', source: folder });
  expect(taken.statusCode).toBe(409);
});

it.each([
  [['../x.md']],
  [['/etc/x.md']],
  [['a//b.md']],
  [['.git/config']],
  [['docs/.GIT/hooks/post-checkout']],
  [['docs/.git./config']],
  [['docs/git~1/config']],
  [['docs/.g\u200cit/config']],
  [['docs\\x.md']],
  [['a.md', 'a.md']],
  [['a.md', 'a.md/b.md']],
])('refuses a folder with %j, and keeps nothing of it', async paths => {
  const answer = await add({ domain: 'hostile', source: uploads(...paths) });
  expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, 'source.files']);
  expect(await findRepository(dashboard.pool, 'hostile')).toBeUndefined();
});

it('goes by the type of a source, and ignores the members of others', async () => {
  const typed = { type: 'existing', repository: 'handbook', url: 'https://localhost/x.git' };
  expect((await add({ domain: 'typed', source: typed })).statusCode).toBe(201);
});

it('changes what may change, and the repository’s visibility with it', async () => {
  const { id } = (await add({ domain: 'changing' })).json<Project>();
  const changed = await owner.json<Project>('PATCH', `/projects/${id}`, {
    name: ' New name ',
    siteUrl: 'https://x.test/',
    docsFolder: '/site/',
    public: true,
    domain: 'other',
  });
  expect(changed).toMatchObject({
    name: 'New name',
    siteUrl: 'https://x.test',
    docsFolder: 'site',
    public: true,
    domain: 'changing',
    baseRef: 'main',
  });
  expect((await findRepository(dashboard.pool, 'handbook'))?.public).toBe(true);
  expect(
    await owner.json<Project>('PATCH', `/projects/${id}`, { siteUrl: null, public: false }),
  ).toMatchObject({ siteUrl: null, name: 'New name', public: false });
  expect((await findRepository(dashboard.pool, 'handbook'))?.public).toBe(false);
  expect(changed.allowMdxCode).toBe(false);
  expect(
    (await member.call('PATCH', `/projects/${id}`, { body: { allowMdxCode: true } })).statusCode,
  ).toBe(403);
  expect(
    (await owner.call('PATCH', `/projects/${id}`, { body: { allowMdxCode: 'no' } })).json()
      .errors[0].path,
  ).toBe('allowMdxCode');
  expect(
    (await owner.json<Project>('PATCH', `/projects/${id}`, { allowPaths: ['site/data/*.json'] }))
      .allowPaths,
  ).toEqual(['site/data/*.json']);
  expect(
    (await owner.call('PATCH', `/projects/${id}`, { body: { allowPaths: ['a b'] } })).statusCode,
  ).toBe(400);
  const webPages = ['example.com', 'https://example.org:8443/docs/'];
  expect((await owner.json<Project>('PATCH', `/projects/${id}`, { webPages })).webPages).toEqual(
    webPages,
  );
  for (const wrong of ['http://example.com', 'https://me@example.com', '*.example.com', 'a/%2e'])
    expect(
      (await owner.call('PATCH', `/projects/${id}`, { body: { webPages: [wrong] } })).statusCode,
    ).toBe(400);
  await dashboard.pool.query(`update projects set settings = '{"other":1}' where id = $1`, [id]);
  expect(
    (await owner.json<Project>('PATCH', `/projects/${id}`, { allowMdxCode: true })).allowMdxCode,
  ).toBe(true);
  expect(
    (await owner.json<Project>('PATCH', `/projects/${id}`, { name: 'New name' })).allowMdxCode,
  ).toBe(true);
  expect(
    (await dashboard.pool.query('select settings from projects where id = $1', [id])).rows,
  ).toEqual([{ settings: { other: 1, allowMdxCode: true } }]);
  expect(
    (await owner.call('PATCH', `/projects/${id}`, { body: { baseRef: 'absent' } })).json().errors[0]
      .path,
  ).toBe('baseRef');
  expect(
    (await owner.call('PATCH', `/projects/${id}`, { body: { docsFolder: 'nosuch' } })).json()
      .errors[0].path,
  ).toBe('docsFolder');
});

it('stores whom commits name, if git can write it', async () => {
  const { id } = (await add({ domain: 'signing' })).json<Project>();
  const change = (body: object) => owner.call('PATCH', `/projects/${id}`, { body });
  const bot = 'Zoë O’Neill, Docs (Acme) <49699333+docs[bot]@users.noreply.example.com>';
  const set = (await change({ commitAuthor: bot, signOff: true })).json<Project>();
  expect(set).toMatchObject({ commitAuthor: bot, signOff: true });
  for (const wrong of [
    ...['Docs Bot', 'docs@example.com', '<docs@example.com>', 'Docs <docs@localhost>', ''],
    ...['Docs\nBot <d@example.com>', 'Docs <d@example.com>\nCo-authored-by: E <e@example.com>'],
    ...[
      'D <d@example.com> <e@example.com>',
      'D\u202ecod <d@example.com>',
      'D\u200b <d@example.com>',
    ],
    ...[
      'Docs <d e@example.com>',
      'Docs <d@exa\u0000mple.com>',
      `${'D'.repeat(101)} <d@example.com>`,
    ],
    ...['. <d@example.com>', 'Docs: Bot <d@example.com>', 'Docs <d@example..com>'],
  ]) {
    const answer = await change({ commitAuthor: wrong, public: true });
    expect([wrong, answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([
      wrong,
      400,
      'commitAuthor',
    ]);
  }
  expect(await owner.json('GET', `/projects/${id}`)).toEqual(set);
  const other = 'Docs <docs@example.com>';
  expect((await change({ commitAuthor: other })).json()).toMatchObject({
    commitAuthor: other,
    signOff: true,
  });
  const none = { commitAuthor: null, signOff: false };
  expect((await change({ commitAuthor: null })).json()).toMatchObject(none);
  expect((await change({ signOff: true })).json().errors[0].path).toBe('signOff');
});

it('indexes when a member asks, and shows what the index holds', async () => {
  const { id } = (await add({ domain: 'indexed' })).json<Project>();
  await dashboard.temporal.workflow.getHandle(indexWorkflowId(id)).terminate();
  expect(await member.json<IndexStatus>('GET', `/projects/${id}/index`)).toMatchObject({
    run: 'failed',
    failure: null,
  });
  expect((await member.json<IndexStatus>('POST', `/projects/${id}/index`)).run).toBe('running');
  await dashboard.pool.query(
    `insert into search_indexes (project_id, commit, pages, sections) values ($1, 'abc', 3, 7)`,
    [id],
  );
  expect((await member.json<IndexStatus>('GET', `/projects/${id}/index`)).built).toEqual({
    commit: 'abc',
    complete: true,
    pages: 3,
    sections: 7,
    builtAt: expect.any(String),
  });
});

it('deletes: the project is gone, its schedule too, its repository stays', async () => {
  const { id } = (await add({ domain: 'going' })).json<Project>();
  expect((await owner.call('DELETE', `/projects/${id}`)).statusCode).toBe(204);
  expect((await owner.call('GET', `/projects/${id}`)).statusCode).toBe(404);
  await expect(
    dashboard.temporal.schedule.getHandle(indexWorkflowId(id)).describe(),
  ).rejects.toThrow();
  expect(await findRepository(dashboard.pool, 'handbook')).toBeDefined();
  expect((await add({ domain: 'going' })).statusCode).toBe(201);
});
