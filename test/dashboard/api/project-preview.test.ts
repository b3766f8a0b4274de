import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importRepository } from '../../../hosts/local/new-repository.ts';
import { withFilesAt, withFilesOfSource } from '../../../hosts/local/files.ts';
import type { ProjectPreview } from '../../../api/dashboard/contract/projects/preview.ts';
import { createProject } from '../../../db/projects/projects.ts';
import { claimInstallation } from '../../../db/github/installations.ts';
import { type GitHubDashboard, startGitHubDashboard } from './github-harness.ts';
import type { Browser } from './harness.ts';

let dashboard: GitHubDashboard;
let owner: Browser;
let handbook: string;
beforeAll(async () => {
  dashboard = await startGitHubDashboard();
  owner = await dashboard.signIn('owner@acme.test', 'owner');
  handbook = mkdtempSync(join(tmpdir(), 'docent-source-'));
  mkdirSync(join(handbook, 'site', 'docs'), { recursive: true });
  writeFileSync(
    join(handbook, 'site', 'mkdocs.yml'),
    'site_name: Handbook\nsite_url: https://acme.test/book/\nnav:\n  - Home: index.md\n' +
      '  - Parcels: parcels.md\nplugins:\n  - gone: !!python/name:os.system\n',
  );
  writeFileSync(join(handbook, 'site', 'docs', 'index.md'), '# Hello\n');
  writeFileSync(join(handbook, 'site', 'docs', 'parcels.md'), '# Parcels — ünïcode\n');
  writeFileSync(join(handbook, 'site', 'docs', 'old.rst'), 'Old\n===\n');
  const at = {
    pool: dashboard.pool,
    dataDir: dashboard.config.DATA_DIR,
    publicUrl: 'http://docent.test',
  };
  for (const [organizationId, name] of [
    [dashboard.tenant.organizationId, 'handbook'],
    [dashboard.stranger.organizationId, 'theirs'],
  ] as const) {
    await importRepository(at, { name }, handbook);
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
  await dashboard.close();
  rmSync(handbook, { recursive: true, force: true });
});

const looks = () => readdirSync(tmpdir()).filter(name => /^docent-(look|upload)-/.test(name));
const preview = (body: object) =>
  owner.call('POST', '/organizations/acme/projects/preview', { body });
const file = (path: string, text: string) => ({
  path,
  content: Buffer.from(text).toString('base64'),
});

it('shows what the site of a repository is, with names that are free, and keeps nothing', async () => {
  const before = looks();
  const rows = async () =>
    (await dashboard.pool.query('select count(*) from projects')).rows[0].count as string;
  const projects = await rows();
  const answer = await preview({ source: { type: 'existing', repository: 'handbook' } });
  expect([answer.statusCode, answer.json<ProjectPreview>()]).toEqual([
    200,
    expect.objectContaining({ name: 'Handbook', domain: 'handbook-2' }),
  ]);
  expect(answer.json<ProjectPreview>().site).toMatchObject({
    kind: 'mkdocs',
    kindTitle: 'MkDocs',
    docsFolder: 'site/docs',
    basePath: '/book',
    address: 'https://acme.test',
    pages: 2,
    navigation: 2,
    examples: [{ file: 'site/docs/parcels.md', url: '/book/parcels/' }],
    unreadPages: expect.stringContaining('reStructuredText'),
  });

  const folder = {
    type: 'upload',
    files: [
      file('.gitignore', 'drafts/\n'),
      file('docs/index.md', '# A\n'),
      file('docs/b.md', '# B\n'),
      file('drafts/c.md', '# C\n'),
    ],
  };
  const uploaded = await preview({ name: 'Über uns', source: folder });
  expect(uploaded.json<ProjectPreview>()).toMatchObject({
    name: 'Über uns',
    domain: 'uber-uns',
    site: { kind: 'folder', docsFolder: 'docs', pages: 2 },
  });
  expect(looks()).toEqual(before);
  expect(await rows()).toBe(projects);
});

it('shows a site on GitHub, with a token that can only read', async () => {
  const before = looks();
  const { github, pool, tenant } = dashboard;
  const docs = github.addRepository('acme/Docs', {
    'site/docs.json': '{"name":"Acme","navigation":{"pages":["index"]}}',
    'site/index.md': '# Start\n',
  });
  github.addRepository('stranger/secret', { 'index.md': '# Secret\n' });
  await claimInstallation(pool, {
    id: github.install([docs]),
    organizationId: tenant.organizationId,
    account: 'acme',
  });
  const source = { type: 'github', repository: 'acme/Docs' };
  const site = { kind: 'docs.json', docsFolder: 'site', pages: 1 };
  expect((await preview({ source })).json()).toMatchObject({ name: 'Acme Docs', site });
  const bodies = JSON.stringify(github.state.mints);
  expect([bodies.includes('"contents":"read"'), bodies.includes('write')]).toEqual([true, false]);
  const theirs = await preview({ source: { ...source, repository: 'stranger/secret' } });
  expect(theirs.json().errors[0].path).toBe('source.repository');
  expect(looks()).toEqual(before);
});

it('reads a copy of an address as git may, in part, and removes it', async () => {
  const before = looks();
  const { port } = new URL(await dashboard.app.listen({ host: '127.0.0.1', port: 0 }));
  await dashboard.pool.query("update local_repositories set public = true where name = 'handbook'");
  const url = `http://127.0.0.1:${port}/git/handbook.git`;
  const seen = await withFilesOfSource(url, 'main', async files => ({
    paths: [...files.entries.keys()],
    text: (await files.read('site/docs/parcels.md'))?.toString(),
    none: await files.read('site/none.md'),
    during: looks().length - before.length,
  }));
  expect(seen).toEqual({
    paths: expect.arrayContaining(['site/mkdocs.yml', 'site/docs/old.rst']),
    text: '# Parcels — ünïcode\n',
    none: undefined,
    during: 1,
  });
  for (const [address, branch] of [
    [`${url}x`, undefined],
    [url, 'nowhere'],
    [url, '--upload-pack=touch /tmp/x'],
  ] as const)
    await expect(withFilesOfSource(address, branch, async () => 1)).rejects.toThrow(
      'cannot be read: check the address, the branch',
    );
  expect(looks()).toEqual(before);
});

it.each([
  [{ source: { type: 'existing', repository: 'theirs' } }, 'source.repository'],
  [{ source: { type: 'existing', repository: 'none' } }, 'source.repository'],
  [{ source: { type: 'existing', repository: 'handbook' }, baseRef: 'gone' }, 'baseRef'],
  [{ source: { type: 'existing', repository: 'handbook' }, docsFolder: 'gone' }, 'docsFolder'],
  [{ source: { type: 'import', url: 'https://127.0.0.1/x.git' } }, 'source.url'],
  [{ source: { type: 'import', url: 'file:///etc' } }, 'source.url'],
  [{ source: { type: 'upload', files: [file('../x.md', '')] } }, 'source.files'],
  [{ source: { type: 'upload', files: [file('a.md', '')] }, docsFolder: 'gone' }, 'docsFolder'],
  [{ source: { type: 'elsewhere', repository: 'x' } }, 'source.type'],
])('refuses %j at its field', async (body, path) => {
  const answer = await preview(body);
  expect([answer.statusCode, answer.json().errors?.[0]?.path]).toEqual([400, path]);
});

describe('a repository whose trees are', () => {
  const folder = () => join(dashboard.config.DATA_DIR, 'repositories', 'handbook.git');
  const plumb = (input: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder(), '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      input,
    })
      .toString()
      .trim();
  const commit = (branch: string, entries: string[]) => {
    const tree = plumb(entries.join('\n'), 'mktree', '--missing');
    plumb('', 'update-ref', `refs/heads/${branch}`, plumb('', 'commit-tree', tree, '-m', 'x'));
  };
  const look = (baseRef: string) =>
    preview({ source: { type: 'existing', repository: 'handbook' }, baseRef, docsFolder: '' });
  const page = () => plumb('# A\n', 'hash-object', '-w', '--stdin');

  it('few, and make more text of paths than memory holds', async () => {
    const names = (count: number, name: (i: number) => string) =>
      Array.from({ length: count }, (_, i) => name(i));
    const id = page();
    const pages = plumb(names(1_000, i => `100644 blob ${id}\t${i}.md`).join('\n'), 'mktree');
    commit(
      'wide',
      names(40, i => `040000 tree ${pages}\t${String(i).padStart(1_000, 'x')}`),
    );
    const answer = await look('wide');
    expect([answer.statusCode, answer.json().error]).toEqual([
      400,
      expect.stringContaining('The paths of the repository are too long.'),
    ]);
  });

  it('damaged: half of its files are not taken for all', async () => {
    commit('damaged', [`100644 blob ${page()}\tindex.md`, `040000 tree ${'1'.repeat(40)}\tmore`]);
    await expect(withFilesAt(folder(), 'damaged', async () => 1)).rejects.toThrow(
      'git cannot list all files',
    );
  });
});

it('makes two at once, and no more', async () => {
  const folder = { type: 'upload', files: [file('a.md', '# A\n')] };
  const answers = await Promise.all([1, 2, 3, 4].map(() => preview({ source: folder })));
  const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, 200, 503, 503]);
  const refused = answers.filter(({ statusCode }) => statusCode === 503);
  expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(['5', '5']);
  expect((await preview({ source: folder })).statusCode).toBe(200);
});
