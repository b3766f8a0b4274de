import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { locateContextRepositories } from '../../hosts/context-repositories.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { updateProject } from '../../db/projects/projects.ts';
import { docent } from '../support/docent.ts';
import { type JobStack, startJobStack } from '../support/job-stack.ts';
import { edit, EDITOR, finish } from '../support/replies.ts';
import type { ScriptedReply } from '../support/scripted-model.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const API = JSON.stringify({
  openapi: '3.1.0',
  paths: {
    '/limits': { get: { responses: { 200: { $ref: '#/components/responses/Limits' } } } },
  },
  components: { responses: { Limits: { headers: { 'X-RateLimit-Limit': {} } } } },
});

describe('a job of a project that names what else it may read', () => {
  let stack: JobStack;
  let script: ScriptedReply[] = [];
  let commit = '';
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '# Guide\n\nThe first line.\n' },
      script: () => script.shift() ?? { text: 'Done.' },
      env: { ALLOWED_PRIVATE_NETWORKS: '127.0.0.0/8' },
    });
    const { DATA_DIR: dataDir, PUBLIC_URL: publicUrl = '' } = stack.config;
    for (const name of ['api', 'other']) {
      const source = mkdtempSync(join(tmpdir(), 'docent-context-'));
      writeFileSync(join(source, 'limits.ts'), `export const ${name.toUpperCase()}_LIMIT = 10;\n`);
      writeFileSync(join(source, 'logo.png'), PNG);
      writeFileSync(join(source, 'openapi.json'), API);
      await importRepository({ pool: stack.pool, dataDir, publicUrl }, { name }, source);
      rmSync(source, { recursive: true });
    }
    commit = stack
      .git('--git-dir', join(stack.repository, '../other.git'), 'rev-parse', 'HEAD')
      .trim();
  }, 60_000);
  afterAll(() => stack?.close());

  const allow = async (wanted: { repository: string; ref?: string }[]) => {
    const found = await locateContextRepositories(
      { pool: stack.pool, config: stack.config },
      stack.project.organizationId,
      wanted,
    );
    await updateProject(stack.pool, stack.project.id, { settings: { contextRepositories: found } });
  };
  const results = () =>
    stack.model.requests
      .at(-1)!
      .body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.map(block => block.content),
      )
      .filter(content => typeof content === 'string');

  it('reads repositories with its tools, and changes only its own', async () => {
    await allow([{ repository: 'api' }, { repository: 'other', ref: commit }]);
    script = [
      {
        toolUses: [
          { name: 'list_files', input: { repository: 'api' } },
          { name: 'search_text', input: { pattern: 'limit =', repository: 'API' } },
          {
            name: 'view_files',
            input: { repository: 'other', files: [{ path: 'limits.ts' }] },
          },
          { name: EDITOR, input: { command: 'view', path: 'limits.ts', repository: 'api' } },
          { name: 'read_history', input: { action: 'log', repository: 'other' } },
          { name: 'read_openapi', input: { operation: 'GET /limits', repository: 'api' } },
          { name: 'list_files', input: { repository: 'apii' } },
          { name: EDITOR, input: { command: 'view', path: 'limits.ts' } },
          {
            name: 'add_image',
            input: { path: 'docs/logo.png', from: 'logo.png', repository: 'api' },
          },
        ],
      },
      edit('The first line.', 'The limit is 10. ![Logo](logo.png)'),
      finish('Name the limit'),
    ];
    const { id } = await stack.create('Name the limit of the API');
    expect(await stack.rest(id)).toMatchObject({ prLink: expect.any(String) });
    expect(results()).toEqual([
      'limits.ts\nlogo.png\nopenapi.json',
      '1 line in 1 file:\nlimits.ts:1: export const API_LIMIT = 10;',
      '=== limits.ts ===\n     1\texport const OTHER_LIMIT = 10;',
      '     1\texport const API_LIMIT = 10;',
      expect.stringMatching(/^[0-9a-f]{10} .* Docent: /),
      expect.stringMatching(/^openapi.json: GET \/limits\n[^]*X-RateLimit-Limit/),
      expect.stringContaining('no context repository apii. Did you mean api?'),
      expect.stringContaining('There is no file limits.ts'),
      expect.stringContaining('Added docs/logo.png: PNG image'),
      expect.any(String),
    ]);
    const first = JSON.stringify(stack.model.requests[0]!.body.messages[0]);
    expect(first).toContain('- api: api at main');
    expect(first).toContain(`- other: other at ${commit}`);
    const changed = stack.git('log', '--all', '--name-only', '--format=', '--not', 'main').trim();
    expect(changed.split('\n').toSorted()).toEqual(['docs/guide.md', 'docs/logo.png']);
  }, 60_000);

  it('cannot read a repository that its organization may not use any more', async () => {
    await allow([{ repository: 'other' }]);
    await createOrganization(stack.pool, { slug: 'umbrella', name: 'Umbrella' });
    script = [
      { toolUses: [{ name: 'list_files', input: { repository: 'other' } }] },
      { text: 'I cannot.' },
    ];
    const { id } = await stack.create('List the other repository');
    await stack.rest(id);
    expect(results()).toEqual([
      expect.stringMatching(/^The repository other cannot be read: .*not a repository that this/),
    ]);
    await expect(allow([{ repository: 'other' }])).rejects.toMatchObject({
      type: 'repository_not_found',
    });
    await expect(allow([{ repository: 'never' }])).rejects.toMatchObject({
      type: 'repository_not_found',
    });
  }, 60_000);

  it('reads pages of the web that the project allows, and knows no such tool before', async () => {
    const site = await serveHttps(join(stack.config.DATA_DIR, 'certificate'), {
      '/docs/limits': '<h1>Limits</h1><script>steal()</script><p>60 an hour.</p>',
    });
    try {
      const page = (path: string) => ({ name: 'read_web_page', input: { url: site.url + path } });
      const read = async (...toolUses: ReturnType<typeof page>[]) => {
        script = [{ toolUses }, { text: 'Read.' }];
        await stack.rest((await stack.create('Read the page')).id);
        return results();
      };
      expect(await read(page('/docs/limits'))).toEqual([expect.stringContaining('no web pages')]);
      expect(toolsTold()).not.toContain('read_web_page');

      const { DATA_DIR, TEMPORAL_ADDRESS = '' } = stack.config;
      const env = { DATABASE_URL: stack.databaseUrl, TEMPORAL_ADDRESS };
      const set = ['project', 'set', stack.project.domain, '--organization', 'acme'];
      const allowed = await docent(DATA_DIR, [...set, '--web-pages', `${site.url}/docs`], env);
      expect(allowed).toMatchObject({ stderr: '', code: 0 });
      expect(await read(page('/docs/limits'), page('/elsewhere'))).toEqual([
        expect.stringMatching(/^[^]*# Limits\n\n60 an hour\.[^]*$/),
        expect.stringContaining(`${site.url}/docs`),
      ]);
      expect(toolsTold()).toContain('read_web_page');
      expect(site.asked).toEqual(['/docs/limits']);
    } finally {
      site.close();
    }
  }, 60_000);

  const toolsTold = () => stack.model.requests.at(-1)!.body.tools?.map(({ name }) => name);
});

/** Packages are loaded outside of the test's own realm, and read the environment there. */
const { env: processEnv } = runInThisContext('process') as NodeJS.Process;

/** Pages at an https address whose certificate nobody has signed. */
async function serveHttps(folder: string, pages: Record<string, string>) {
  mkdirSync(folder);
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', cert, '-subj', '/CN=docs'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...files], { stdio: 'pipe' });
  const asked: string[] = [];
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    ({ url = '' }, response) => {
      asked.push(url);
      response.setHeader('content-type', 'text/html').end(pages[url] ?? '');
    },
  );
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  processEnv.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      delete processEnv.NODE_TLS_REJECT_UNAUTHORIZED;
      server.closeAllConnections();
      server.close();
    },
  };
}
