import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../cli/embedded/ports.ts';
import { repositoryFolder } from '../../../hosts/local/context.ts';
import { mergePullRequest } from '../../../hosts/local/merge-pull-request.ts';
import { importRepository } from '../../../hosts/local/new-repository.ts';
import { closePullRequest, createLocalPullRequest } from '../../../hosts/local/pull-requests.ts';
import { createProject } from '../../../db/projects/projects.ts';
import { commitAs } from '../../support/person.ts';
import { type Browser, startDashboard, type TestDashboard } from './harness.ts';

const REPOSITORY = 'handbook';
const TOKEN = 'local-host-token-of-the-tests';
const COMMIT = 'a'.repeat(40);
const PULLS = ['open', 'closed', 'merged'] as const;

interface Answer {
  statusCode: number;
  headers: Record<string, unknown>;
}

/** Another API has the files of a repository, and a proxy sends its requests here all the same. */
describe('an API without the files of a repository', () => {
  let dashboard: TestDashboard;
  let owner: Browser;
  let project: string;
  /** Paths of the pages of pull requests. */
  let pages: string[];

  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    dashboard = await startDashboard({ LOCAL_HOST_URL: `http://127.0.0.1:${port}` });
    await dashboard.app.listen({ host: '127.0.0.1', port });
    owner = await dashboard.signIn('owner@acme.test', 'owner');
    const { pool, config, tenant } = dashboard;
    const at = { pool, dataDir: config.DATA_DIR, publicUrl: 'http://docent.test' };
    const source = mkdtempSync(join(tmpdir(), 'docent-source-'));
    mkdirSync(join(source, 'docs'));
    writeFileSync(join(source, 'docs', 'index.md'), '# Hello\n');
    await importRepository(at, { name: REPOSITORY, public: true }, source);
    const folder = repositoryFolder(at, REPOSITORY);
    const { id } = await createProject(pool, {
      organizationId: tenant.organizationId,
      name: REPOSITORY,
      domain: REPOSITORY,
      host: 'local',
      repository: REPOSITORY,
      repositoryUrl: `http://docent.test/git/${REPOSITORY}.git`,
      baseRef: 'main',
      docsFolder: 'docs',
      public: true,
    });
    project = `/projects/${id}`;
    pages = [];
    for (const head of PULLS) {
      execFileSync('git', ['-C', folder, 'branch', head, 'main']);
      commitAs(folder, head, 'docs/index.md', text => `${text}${head}\n`);
      const input = { title: head, body: '', head, base: 'main', draft: false };
      const pull = await createLocalPullRequest(at, REPOSITORY, input);
      pages.push(new URL(pull.url).pathname);
    }
    await closePullRequest(at, REPOSITORY, 2);
    await mergePullRequest(at, REPOSITORY, 3);
    renameSync(folder, `${folder}.elsewhere`);
  }, 60_000);
  afterAll(() => dashboard.close());

  async function stored(): Promise<unknown[]> {
    const tables = ['local_repositories', 'local_pull_requests', 'projects', 'audit_log'];
    return await Promise.all(
      tables.map(async table => {
        const { rows } = await dashboard.pool.query(`select * from ${table} order by 1, 2`);
        return rows;
      }),
    );
  }

  /** Each as it was asked, and what it got. */
  async function answers(
    asked: readonly (readonly [method: string, path: string, body?: unknown])[],
    ask: (method: 'GET', path: string, body?: unknown) => Promise<Answer>,
  ): Promise<unknown[]> {
    const results = [];
    for (const [method, path, body] of asked) {
      const { statusCode, headers } = await ask(method as 'GET', path, body);
      results.push([method, path, statusCode, headers['retry-after']]);
    }
    return results;
  }
  const refused = (asked: readonly (readonly [string, string, unknown?])[]) =>
    asked.map(([method, path]) => [method, path, 503, '5']);

  it.each(['token', 'nothing'])('says so to git, with %s', async proof => {
    const before = await stored();
    const git = `/git/${REPOSITORY}.git`;
    const services = proof === 'token' ? ['upload-pack', 'receive-pack'] : ['upload-pack'];
    const asked = services.flatMap(service => [
      ['GET', `${git}/info/refs?service=git-${service}`] as const,
      ['POST', `${git}/git-${service}`, service] as const,
    ]);
    const got = await answers(asked, (method, url, service) => {
      const headers = {
        ...(proof === 'token' && { authorization: `Bearer ${TOKEN}` }),
        ...(typeof service === 'string' && {
          'content-type': `application/x-git-${service}-request`,
        }),
      };
      const payload = service === undefined ? {} : { payload: Buffer.from('0000') };
      return dashboard.app.inject({ method, url, headers, ...payload });
    });
    expect(got).toEqual(refused(asked));
    expect(await stored()).toEqual(before);
  });

  it('says so to workers', async () => {
    const before = await stored();
    const at = `/git/${REPOSITORY}`;
    const asked = [
      ['GET', at],
      ['GET', `${at}/merge-base?a=${COMMIT}&b=${COMMIT}`],
      ['GET', `${at}/commits?base=${COMMIT}&head=${COMMIT}`],
      ['GET', `${at}/pulls`],
      ['GET', `${at}/pulls/1`],
      ['POST', `${at}/pulls`, { title: 'x', body: '', head: 'open', base: 'main', draft: false }],
      ...[1, 2, 3].map(number => ['PATCH', `${at}/pulls/${number}`, { title: 'y' }] as const),
      ['POST', `${at}/pulls/1/merge`],
      ['POST', `${at}/pulls/1/close`],
    ] as const;
    const got = await answers(asked, (method, url, payload) =>
      dashboard.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${TOKEN}` },
        ...(payload !== undefined && { payload: payload as object }),
      }),
    );
    expect(got).toEqual(refused(asked));
    expect(await stored()).toEqual(before);
  });

  it('says so on the pages of pull requests', async () => {
    const asked = pages.flatMap(page =>
      ['', '.diff', '/pages'].map(kind => ['GET', `${page}${kind}`] as const),
    );
    const got = await answers(asked, (method, url) => dashboard.app.inject({ method, url }));
    expect(got).toEqual(refused(asked));
  });

  it('says so in the dashboard', async () => {
    const before = await stored();
    const existing = { type: 'existing', repository: REPOSITORY };
    const added = { name: 'G', domain: 'g', source: existing };
    const asked = [
      ['GET', `${project}/pulls`],
      ...[1, 2, 3].flatMap(number =>
        ['', '/page?file=docs%2Findex.md', '/text?file=docs%2Findex.md'].map(
          part => ['GET', `${project}/pulls/${number}${part}`] as const,
        ),
      ),
      ['POST', `${project}/pulls/1/merge`],
      ['POST', `${project}/pulls/1/close`],
      ['GET', `${project}/site`],
      ['GET', `${project}/site/page?path=index`],
      ['GET', `/sites/${REPOSITORY}`],
      ['GET', '/organizations/acme/repositories'],
      ['POST', '/organizations/acme/projects', added],
      ['POST', '/organizations/acme/projects/preview', { source: existing }],
      ['PATCH', project, { docsFolder: 'elsewhere' }],
      ['PATCH', project, { baseRef: 'open' }],
    ] as const;
    const got = await answers(asked, (method, path, body) => owner.call(method, path, { body }));
    expect(got).toEqual(refused(asked));
    expect(await stored()).toEqual(before);
  });
});
