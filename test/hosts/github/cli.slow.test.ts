import { GitRepositories } from '../../../hosts/git/repositories.ts';
import { gitHub } from '../../../hosts/github/definition.ts';
import { readConfig } from '../../../shared/config.ts';
import { createOrganization } from '../../../db/people/organizations.ts';
import { docent, type Ended, temporaryFolder } from '../../support/docent.ts';
import { type TestDatabase, testDatabase, testTemporal } from '../../support/services.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import type { Repository } from './state.ts';

describe('docent with GitHub', () => {
  let github: GitHubStandIn;
  let database: TestDatabase;
  let folder: string;
  let repository: Repository;
  beforeAll(async () => {
    github = await startGitHub();
    database = await testDatabase();
    folder = await temporaryFolder();
    repository = github.addRepository('acme/Docs', {
      'site/docs.json': '{"name":"Acme","navigation":{"pages":["index"]}}',
      'site/index.md': '# Start\n',
    });
    await createOrganization(database.pool, { slug: 'acme', name: 'Acme' });
    await createOrganization(database.pool, { slug: 'other', name: 'Other' });
  });
  afterAll(async () => {
    await database.close();
    await github.stop();
  });

  const app = () => ({
    GITHUB_APP_ID: github.appId,
    GITHUB_APP_PRIVATE_KEY: github.privateKey.replaceAll('\n', '\\n'),
  });
  const run = (args: string[], env: Record<string, string> = app()): Promise<Ended> =>
    docent(folder, args, {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: testTemporal().address,
      GITHUB_API_URL: github.apiUrl,
      PUBLIC_URL: 'http://docent.test',
      ...env,
    });
  const add = (domain: string, organization: string, env?: Record<string, string>) =>
    run(
      [
        'project',
        'add',
        domain,
        '--repository',
        `${github.webUrl}/acme/docs.git`,
        '--organization',
        organization,
      ],
      env,
    );
  const gitHubLine = ({ stdout }: Ended): string =>
    stdout.split('\n').find(line => line.includes('GitHub')) ?? '';

  it('connects an installation and adds a project that it has looked at', async () => {
    expect(await add('docs', 'acme')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not installed on acme/docs'),
    });
    const installation = github.install([repository]);
    repository.name = 'docs';
    expect(await add('docs', 'acme')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`docent github connect ${installation}`),
    });
    expect(
      await run(['github', 'connect', String(installation), '--organization', 'acme']),
    ).toMatchObject({ code: 0, stdout: expect.stringContaining('(acme) belongs to acme') });
    expect(
      await run(['github', 'connect', String(installation), '--organization', 'other']),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('another organization') });
    expect(await run(['github', 'connect', '999', '--organization', 'acme'])).toMatchObject({
      code: 1,
    });
    expect(await add('docs', 'acme')).toMatchObject({ code: 0 });
    const { rows } = await database.pool.query(
      'select host, repository, repository_url, base_ref, docs_folder from projects',
    );
    expect(rows).toEqual([
      {
        host: 'github',
        repository: 'acme/docs',
        repository_url: `${github.webUrl}/acme/docs`,
        base_ref: 'main',
        docs_folder: 'site',
      },
    ]);
  }, 120_000);

  it('gives another organization nothing of it', async () => {
    expect(await add('theirs', 'other')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('belongs to another organization'),
    });
    expect(await add('theirs', 'other', { GITHUB_TOKEN: github.personalToken() })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('one organization only'),
    });
  }, 60_000);

  it('asks of a context repository no right but to read', async () => {
    const source = github.addRepository('widgets/api', {
      'limits.ts': 'export const LIMIT = 10;\n',
    });
    const installation = github.install([source], { contents: 'read', metadata: 'read' });
    source.archived = true;
    await run(['github', 'connect', String(installation), '--organization', 'acme']);
    const set = ['project', 'set', 'docs', '--organization', 'acme', '--context', 'widgets/api'];
    expect(await run(set)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('"api"'),
    });
    const config = readConfig({ ...app(), GITHUB_API_URL: github.apiUrl });
    const repositories = new GitRepositories(
      folder,
      { name: 'Docent', email: 'd@example.com' },
      1e8,
    );
    const host = gitHub.openForWorker({ config, pool: database.pool, repositories })!;
    const address = { host: 'github', repository: 'widgets/api', readOnly: true };
    const commit = await host.resolveBranch(address, 'main');
    const { entries } = await host.snapshot(address, commit!, AbortSignal.timeout(10_000));
    expect([...entries.keys()]).toEqual(['limits.ts']);
    const asked = github.state.mints.filter(mint => mint.installation === installation);
    expect(new Set(asked.map(({ body }) => body.permissions?.['contents']))).toEqual(
      new Set([undefined, 'read']),
    );
    // It is still no repository that a project could be on.
    const project = ['project', 'add', 'api', '--repository', `${github.webUrl}/widgets/api.git`];
    expect(await run([...project, '--organization', 'acme'])).toMatchObject({ code: 1 });
  }, 60_000);

  it('says in its doctor what to repair', async () => {
    const healthy = await run(['doctor']);
    expect(gitHubLine(healthy)).toMatch(/ok .*App docent; 1 project can be read and pushed to/);
    repository.archived = true;
    expect(gitHubLine(await run(['doctor']))).toMatch(/missing .*acme\/docs is archived/);
    repository.archived = false;
    github.state.installations[0]!.permissions = {
      contents: 'read',
      metadata: 'read',
      pull_requests: 'write',
    };
    expect(gitHubLine(await run(['doctor']))).toMatch(/missing .*lacks a permission on acme\/docs/);
    github.fail({
      path: /\/app$/,
      status: 200,
      body: {
        slug: 'docent',
        html_url: 'https://github.test/apps/docent',
        permissions: { contents: 'write', metadata: 'read' },
      },
    });
    expect(gitHubLine(await run(['doctor']))).toMatch(
      /missing .*The App docent lacks a permission: give it read and write access/,
    );
    expect(
      gitHubLine(await run(['doctor'], { GITHUB_APP_ID: '7', GITHUB_APP_PRIVATE_KEY: 'nonsense' })),
    ).toMatch(/missing .*GITHUB_APP_PRIVATE_KEY is not a private key/);
    expect(gitHubLine(await run(['doctor'], { GITHUB_APP_PRIVATE_KEY: 'nonsense' }))).toMatch(
      /missing .*GITHUB_APP_PRIVATE_KEY is set without GITHUB_APP_ID: set the App’s id, too/,
    );
    expect(gitHubLine(await run(['doctor'], { GITHUB_APP_ID: '7' }))).toMatch(
      /missing .*GITHUB_APP_ID is set without GITHUB_APP_PRIVATE_KEY/,
    );
    expect(gitHubLine(await run(['doctor'], {}))).toMatch(
      /note .*GitHub is not set up: create an App in the dashboard, or set GITHUB_APP_ID or GITHUB_TOKEN/,
    );
  }, 180_000);
});
