import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { ChangedPages } from '../../api/local-host/changed-pages.ts';
import { localHost } from '../../api/local-host/plugin.ts';
import type { LinkedPages } from '../../api/dashboard/contract/site.ts';
import { registerProblems } from '../../api/plugins/problems.ts';
import { Reader } from '../../api/reader/reader.ts';
import { importRepository } from '../../hosts/local/new-repository.ts';
import { listBranches } from '../../hosts/local/repositories.ts';
import { readConfig } from '../../shared/config.ts';
import { createOrganization } from '../../db/people/organizations.ts';
import { createProject } from '../../db/projects/projects.ts';
import { type HostUnderTest, startHost, TOKEN, writeFiles } from './host-under-test.ts';

const LONG = Array.from({ length: 20 }, (_, i) => `Paragraph ${i + 1}.\n`).join('\n');
const BEFORE = `# Start\n\nParcels go by rocket.\n\n${LONG}\nThe end.\n`;
const AFTER =
  '# Start\n\nParcels go by balloon.\n\n<img src=x onerror=alert(1)> ![a moon](moon.png) ' +
  '[out](https://example.org/?a=1&b="2") [bad](javascript:alert(1)) [in](guide.md)\n\n' +
  `\`\`\`js\nconst a = "</code><script>alert(1)</script>";\n\`\`\`\n\n${LONG}\nThe end.\n`;

let host: HostUnderTest;
let app: FastifyInstance;
let reader: Reader;
let path: string;
beforeAll(async () => {
  host = await startHost();
  const { pool } = host.at;
  const source = { 'docs/index.md': BEFORE, 'docs/guide.md': '# Guide\n', 'docs/x.json': '{}' };
  await importRepository(
    host.at,
    { name: 'pages' },
    await writeFiles(join(host.folder, 's'), source),
  );
  const [main] = await listBranches(host.at, 'pages');
  const client = host.client();
  const address = { host: 'local', repository: 'pages' } as const;
  const signal = new AbortController().signal;
  const changes = new Map<string, Buffer | null>([
    ['docs/index.md', Buffer.from(AFTER)],
    ['docs/guide.md', null],
    ['docs/x.json', Buffer.from('{"a":1}')],
  ]);
  const plan = { parent: main!.commit, changes, message: 'Fly', time: 1_767_225_600 };
  await client.push(address, 'docent/fly', plan, null, signal);
  const pull = await client.openPullRequest(address, {
    title: 'Fly <b>',
    head: 'docent/fly',
    base: 'main',
    draft: false,
    jobId: 'job_1',
    body: '',
  });
  path = new URL(pull.url).pathname;
  const config = readConfig({
    DATA_DIR: join(host.folder, 'reader'),
    LOCAL_HOST_URL: host.url,
    LOCAL_HOST_TOKEN: TOKEN,
  });
  reader = new Reader(config, pool);
  app = Fastify();
  registerProblems(app);
  await app.register(localHost, {
    ...host.at,
    token: TOKEN,
    pages: new ChangedPages(pool, reader),
  });
});
afterAll(async () => {
  await app.close();
  await reader.close();
  await host.close();
});

it('needs a project that is built from the base', async () => {
  const { statusCode, body } = await app.inject(`${path}/pages`);
  expect([statusCode, body.includes('No project is built from the base')]).toEqual([404, true]);
});

it('gives what changed in the pages with what is around it, and names nothing else of the site', async () => {
  const { pool } = host.at;
  const { id: organizationId } = await createOrganization(pool, { name: 'Acme', slug: 'acme' });
  await createProject(pool, {
    organizationId,
    name: 'Pages',
    domain: 'pages',
    host: 'local',
    repository: 'pages',
    repositoryUrl: `${host.url}/git/pages.git`,
    baseRef: 'main',
  });
  const { statusCode, headers, body } = await app.inject(`${path}/pages`);
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(headers['referrer-policy']).toBe('no-referrer');
  const { pages } = JSON.parse(body) as LinkedPages;
  expect(pages.map(page => page.path)).toEqual(['docs/guide.md', 'docs/index.md']);
  expect(body).toMatch(/"del"[^}]*rocket.*"ins"[^}]*balloon/);
  expect(body).toContain('a moon');
  expect(body).toContain('["keyword","const"]');
  expect(body).toContain('Paragraph 1.');
  expect(body).not.toMatch(/Paragraph 9\.|The end\./);
  expect(body).not.toMatch(/"(page|file|hash|missing)":|moon\.png|javascript:|onerror/);
  expect([...body.matchAll(/"href":"([^"]*)"/g)].map(([, href]) => href)).toEqual([
    'https://example.org/?a=1&b=%222%22',
  ]);
});

it('is unknown under any other address', async () => {
  for (const other of ['/pulls/1/pages', `/pulls/${'A'.repeat(22)}/pages`])
    expect((await app.inject(other)).statusCode).toBe(404);
});
