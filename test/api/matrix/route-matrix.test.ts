import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { createProject } from '../../../db/projects/projects.ts';
import { newId } from '../../../shared/ids.ts';
import { indexPages } from '../../../search/indexing/build-index.ts';
import { startDashboard, type TestDashboard } from '../../dashboard/api/harness.ts';
import { memorySnapshot } from '../../support/memory-snapshot.ts';
import { createHostedRepository } from '../../support/local-pull-request.ts';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.ts';
import { type Caller, type Callers, DELIVERY, everyCaller, WEBHOOK_SECRET } from './callers.ts';
import { refusal } from './refusals.ts';
import { withRoutes } from './registered-routes.ts';
import { ROWS } from './route-rows.ts';

const FILES = { 'docs/index.md': '---\ntitle: Welcome\n---\n\n# Welcome\n\nInstall it.\n' };
const BRANCH = 'docent/x';

let model: ScriptedModel;
let dashboard: TestDashboard;
let routes: string[];
let callers: Callers;
/** A job of each route that changes one; what is read is `read`. */
let jobs: { read: string; theirs: string; changed: Record<string, string> };
/** The address of the pull request, without the host. */
let link: string;
let commit: string;
beforeAll(async () => {
  model = await startScriptedModel(() => ({ text: 'Read the docs.' }));
  [dashboard, routes] = await withRoutes(() =>
    startDashboard({
      LOCAL_HOST_URL: 'http://127.0.0.1:1', // the built-in host cannot be reached
      MODEL_PROVIDER: 'anthropic',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'test',
      GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
    }),
  );
  const { tenant, pool } = dashboard;
  callers = await everyCaller(dashboard);
  await indexPages(pool, tenant.project.id, {
    snapshot: memorySnapshot(FILES),
    docsFolder: 'docs',
  });
  const repository = await createHostedRepository(dashboard, tenant.project.repository, FILES);
  const pull = await repository.open(BRANCH, 'docs/index.md');
  link = new URL(pull.url).pathname;
  commit = pull.headCommit;
  jobs = await createJobs();
}, 120_000);
afterAll(async () => {
  await dashboard?.close();
  await model?.close();
});

async function createJobs() {
  const { stranger, pool } = dashboard;
  const rested = async () => {
    const { id } = await dashboard.createJob();
    await dashboard.restJob(id);
    return id;
  };
  const theirs = await dashboard.call('POST', `/v2/agent/${stranger.project.id}/job`, {
    key: stranger.adminKey,
    body: { prompt: 'Theirs' },
  });
  const changed: Record<string, string> = {};
  for (const route of Object.keys(ROWS))
    if (/^POST .*\/jobs?\/:id/.test(route)) {
      changed[route] = await rested();
      // What has no worker would be waited for.
      if (route.endsWith('/archive'))
        await pool.query('update jobs set archived_at = now() where id = $1', [changed[route]]);
    }
  return { read: await rested(), theirs: theirs.json<{ id: string }>().id, changed };
}

let calls = 0;
/** Valid on every route: unknown members are ignored. Nothing is named twice. */
function body() {
  const name = `new-${calls}`;
  return {
    ...{
      prompt: 'x',
      instructions: 'x',
      query: 'x',
      path: 'index',
      fp: 'x',
      turn: 1,
      step: 1,
      budget: 1,
      ready: 'none',
      paused: true,
    },
    ...{ branch: `docs/${name}`, email: `${name}@acme.test`, password: 'correct horse battery' },
    ...{ current: 'wrong', next: 'correct horse battery', token: 'x'.repeat(43), name, slug: name },
    ...{ role: 'viewer', to: 'install', state: 'acme.x', kind: 'admin', graceHours: 1 },
    ...{ domain: name, title: 'x', body: 'x', head: BRANCH, base: 'main', draft: false },
    ...{ file: 'docs/index.md', line: null, quote: '', text: 'x', resolved: true, closed: true },
    ...{ data: 'bm9uZQ==', url: 'https://hooks.acme.test', events: ['job.failed'] },
    owner: `${name}@acme.test`,
    source: { type: 'existing', repository: dashboard.tenant.project.repository },
    messages: [{ id: 'm', role: 'user', content: 'x', parts: [{ type: 'text', text: 'x' }] }],
  };
}

function bodyOf(route: string) {
  if (/\/mcp(?:\/|$)/.test(route)) return { jsonrpc: '2.0', id: 1, method: 'ping' };
  if (route.includes('/discovery/v1/feedback/')) return { threadId: 'x', messageId: 'x' };
  return { ...body(), ...(route.includes('/feedback/') && { status: 'resolved' }) };
}

/** What a route's query must contain. */
const QUERIES: Record<string, () => string> = {
  'GET /git/:repository/info/refs': () => 'service=git-upload-pack',
  'GET /git/:repository/commits': () => `base=${commit}&head=${commit}`,
  'GET /git/:repository/merge-base': () => `a=${commit}&b=${commit}`,
  'GET /api/dashboard/organizations/:organization/github/repository': () => 'repository=acme/docs',
  'GET /api/dashboard/projects/:projectId/pulls/:number/page': () => 'file=index.md',
  'GET /api/dashboard/projects/:projectId/pulls/:number/text': () => 'file=index.md',
  'GET /api/dashboard/projects/:projectId/pulls/:number/image': () => 'file=a.png&side=after',
  'GET /api/dashboard/projects/:projectId/site/page': () => 'path=/',
  'GET /api/dashboard/projects/:projectId/site/search': () => 'query=x',
  'GET /api/dashboard/projects/:projectId/site/image': () => 'path=x.png',
  'GET /api/dashboard/sites/:domain/page': () => 'path=/',
  'GET /api/dashboard/sites/:domain/search': () => 'query=x',
  'GET /api/dashboard/sites/:domain/image': () => 'path=x.png',
};

async function urlOf(route: string, { foreignJob }: Caller, admitted: boolean): Promise<string> {
  const { project } = dashboard.tenant;
  const ours = jobs.changed[route] ?? jobs.read;
  const ends = /\/pulls\/:number\/(?:merge|close)$/.test(route);
  const path = route.split(' ')[1]!;
  const query = QUERIES[route]?.();
  const doomed = admitted && route === 'DELETE /api/dashboard/projects/:projectId';
  return `${path
    .replace(':projectId', doomed ? await doomedProject() : project.id)
    .replace(':organization', 'acme')
    .replace(':domain/*', `${project.domain}/index.md`)
    .replace(':domain', project.domain)
    .replace(':repository', project.repository)
    .replace(':number', ends ? '999' : '1')
    .replace('/pulls/:token', link)
    .replace(':userId', 'usr_unknown')
    .replace(':turn/:step', '1/1')
    .replace(':commentId', 'cmt_unknown')
    .replace('installations/:id', 'installations/77')
    .replace(':appId', '77')
    .replace(':webhookId', 'whe_unknown')
    .replace(/(jobs?)\/:id/, `$1/${foreignJob ? jobs.theirs : ours}`)
    .replace(':id', newId('key'))
    .replace('*', 'x')}${query === undefined ? '' : `?${query}`}`;
}

async function doomedProject(): Promise<string> {
  const { id } = await createProject(dashboard.pool, {
    organizationId: dashboard.tenant.organizationId,
    name: 'doomed',
    domain: newId('prj').replace('_', '-'),
    host: 'local',
    repository: 'none',
    repositoryUrl: 'http://x',
    baseRef: 'main',
  });
  return id;
}

async function call(route: string, caller: Caller, admitted: boolean): Promise<string> {
  calls += 1;
  const [method] = route.split(' ') as [NonNullable<InjectOptions['method']>];
  const service = /git-(?:upload|receive)-pack$/.exec(route)?.[0];
  const sent = service
    ? { type: `application/x-${service}-request`, payload: '0000' }
    : route === 'POST /github/webhook'
      ? { type: 'application/json', payload: DELIVERY }
      : { type: 'application/json', payload: JSON.stringify(bodyOf(route)) };
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const answer = await dashboard.app.inject({
    method,
    url: await urlOf(route, caller, admitted),
    headers: {
      ...(hasBody && { 'content-type': sent.type }),
      ...(route.endsWith('webhook') && { 'x-github-event': 'ping', 'x-github-delivery': 'x' }),
      ...caller.headers,
    },
    ...(hasBody && { payload: sent.payload }),
    // Some limits are by address.
    remoteAddress: `198.18.${calls >> 8}.${calls & 255}`,
    // A session of v1 ends with its turn.
    payloadAsStream: admitted && route === 'POST /v1/agent/:projectId/job',
  });
  return textOf(answer);
}

/** Status, and the sentence of an error. */
function textOf({ statusCode, payload, headers }: LightMyRequestResponse): string {
  if (statusCode < 400) return String(statusCode);
  const isProblem = String(headers['content-type']).includes('json');
  const { detail } = isProblem ? (JSON.parse(payload) as { detail: string }) : { detail: payload };
  return `${statusCode} ${detail}`;
}

it('has a row for every route, and 25 callers', () => {
  expect(routes.toSorted()).toEqual(Object.keys(ROWS).toSorted());
  expect(Object.keys(callers)).toHaveLength(25);
  // A status alone could be of anything that refuses before the handler.
  const bare = Object.values(ROWS).filter(({ answer }) => /^4\d\d$/.test(answer));
  expect(bare).toEqual([]);
});

it('refuses and admits each caller on each route as its row says', async () => {
  const wrong: unknown[] = [];
  let cells = 0;
  for (const [route, { who, answer }] of Object.entries(ROWS))
    for (const [name, caller] of Object.entries(callers)) {
      const refused = refusal(who, name, route);
      const given = await call(route, caller, refused === undefined);
      cells += 1;
      if (!given.startsWith(refused ?? answer)) wrong.push([route, name, given, refused ?? answer]);
    }
  expect(wrong).toEqual([]);
  expect(cells).toBeGreaterThan(2_500);
}, 180_000);
