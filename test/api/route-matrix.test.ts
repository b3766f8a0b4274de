import { randomUUID } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { ROUTES as DASHBOARD } from '../../shared/dashboard/routes.ts';
import { createKey } from '../../shared/db/projects/keys.ts';
import { newId } from '../../shared/ids.ts';
import { ORIGIN, startDashboard, type TestDashboard } from '../dashboard/api/harness.ts';

type Group =
  | 'public'
  | 'admin'
  | 'assistant'
  | 'host token'
  | 'link'
  | keyof typeof BY_ROLE
  | 'self'
  | 'anybody'
  | 'manager';
const BY_ROLE = { viewer: 0, member: 1, owner: 2 };

/** Who may call what is not in the dashboard's table. A route without a row fails. */
const ROWS: Record<string, Group> = {
  'GET /healthz': 'public',
  'GET /readyz': 'public',
  'GET /openapi.json': 'public',
  'GET /reference': 'public',
  'GET /reference/': 'public',
  'GET /': 'public',
  'GET /*': 'public',
  'GET /dashboard': 'public',
  'GET /dashboard*': 'public',
  'POST /v2/agent/:projectId/job': 'admin',
  'POST /v2/agent/:projectId/job/:id/message': 'admin',
  'POST /v2/agent/:projectId/job/:id/cancel': 'admin',
  'POST /v2/agent/:projectId/job/:id/archive': 'admin',
  'POST /v2/agent/:projectId/job/:id/rewind': 'admin',
  'GET /v2/agent/:projectId/job/:id': 'admin',
  'GET /v2/agent/:projectId/jobs': 'admin',
  'GET /v2/agent/:projectId/job/:id/messages': 'admin',
  'GET /v2/agent/:projectId/job/:id/diff': 'admin',
  'GET /v2/agent/:projectId/job/:id/events': 'admin',
  'POST /v1/agent/:projectId/job': 'admin',
  'GET /v1/agent/:projectId/job/:id': 'admin',
  'GET /v1/agent/:projectId/jobs': 'admin',
  'POST /discovery/v2/assistant/:domain/message': 'assistant',
  'POST /discovery/v1/assistant/:domain/message': 'assistant',
  'POST /discovery/v1/search/:domain': 'assistant',
  'POST /discovery/v1/page/:domain': 'assistant',
  'GET /discovery/v1/:domain/llms.txt': 'assistant',
  'GET /discovery/v1/:domain/llms-full.txt': 'assistant',
  'GET /git/:repository': 'host token',
  'GET /git/:repository/branches': 'host token',
  'GET /git/:repository/commits': 'host token',
  'GET /git/:repository/merge-base': 'host token',
  'GET /git/:repository/pulls': 'host token',
  'POST /git/:repository/pulls': 'host token',
  'GET /git/:repository/pulls/:number': 'host token',
  'PATCH /git/:repository/pulls/:number': 'host token',
  'POST /git/:repository/pulls/:number/merge': 'host token',
  'POST /git/:repository/pulls/:number/close': 'host token',
  'GET /git/:repository/info/refs': 'host token',
  'POST /git/:repository/git-upload-pack': 'host token',
  'POST /git/:repository/git-receive-pack': 'host token',
  'GET /pulls/:token': 'link',
};

/** Valid on every route that checks the body before the project: who is refused, is so for that. */
const BODY = {
  prompt: 'x',
  instructions: 'x',
  query: 'x',
  path: 'index',
  fp: 'x',
  turn: 1,
  step: 1,
  branch: 'docs/x',
  messages: [{ id: 'm', role: 'user', content: 'x', parts: [{ type: 'text', text: 'x' }] }],
};

interface Caller {
  headers: Record<string, string>;
  /** Names the other tenant's job below the own project. */
  foreignJob?: true;
}

let dashboard: TestDashboard;
let callers: Record<string, Caller>;
let jobs: { ours: string; theirs: string };
beforeAll(async () => {
  dashboard = await startDashboard();
  // An unknown one is enough to be let in; a real one would be cancelled and waited for.
  jobs = { ours: newId('job'), theirs: await jobOfStranger() };
  callers = { ...(await keyCallers()), ...(await sessionCallers()) };
}, 120_000);
afterAll(() => dashboard?.close());

async function jobOfStranger(): Promise<string> {
  const { project, adminKey } = dashboard.stranger;
  const answer = await dashboard.call('POST', `/v2/agent/${project.id}/job`, {
    key: adminKey,
    body: { prompt: 'Theirs' },
  });
  return answer.json<{ id: string }>().id;
}

async function keyCallers(): Promise<Record<string, Caller>> {
  const { tenant, stranger, pool } = dashboard;
  const bearer = (token: string, more = {}) => ({
    headers: { authorization: `Bearer ${token}`, ...more },
  });
  const make = async (kind: 'admin' | 'assistant', more: object) =>
    (
      await createKey(pool, {
        organizationId: tenant.organizationId,
        kind,
        name: 'x',
        ...(kind === 'assistant' && { projectId: tenant.project.id }),
        ...more,
      })
    ).token;
  const gone = { expiresAt: new Date(Date.now() - 1_000) };
  const revoked = async (kind: 'admin' | 'assistant') => {
    const token = await make(kind, { name: `revoked ${kind}` });
    await pool.query('update api_keys set revoked_at = now() where name = $1', [`revoked ${kind}`]);
    return token;
  };
  return {
    nobody: { headers: {} },
    'a malformed key': bearer('svc_x'),
    'an unknown key': bearer(tenant.adminKey.replace(/.{6}$/, 'aaaaaa')),
    admin: bearer(tenant.adminKey),
    'admin, foreign job': { ...bearer(tenant.adminKey), foreignJob: true },
    'admin, expired': bearer(await make('admin', gone)),
    'admin, revoked': bearer(await revoked('admin')),
    'admin, wrong address': bearer(await make('admin', { allowedAddresses: ['192.0.2.0/24'] })),
    'admin of another': bearer(stranger.adminKey),
    assistant: bearer(tenant.assistantKey),
    'assistant, expired': bearer(await make('assistant', gone)),
    'assistant, revoked': bearer(await revoked('assistant')),
    'assistant, wrong origin': bearer(
      await make('assistant', { allowedOrigins: ['https://docs.acme.test'] }),
      { origin: 'https://evil.test' },
    ),
    'assistant of another': bearer(stranger.assistantKey),
  };
}

async function sessionCallers(): Promise<Record<string, Caller>> {
  const page = { host: 'docent.test', origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  const signIn = async (role: 'viewer' | 'member' | 'owner', organizationId?: string) => {
    const email = `${role}-${randomUUID()}@acme.test`;
    const { cookie = '' } = await dashboard.signIn(email, role, organizationId);
    return { email, caller: { headers: { ...page, cookie } } };
  };
  const { pool, stranger } = dashboard;
  const [owner, former, expired] = [
    await signIn('owner'),
    await signIn('owner'),
    await signIn('owner'),
  ];
  await pool.query(
    'delete from memberships where user_id = (select id from users where email = $1)',
    [former.email],
  );
  await pool.query(
    `update sessions set created_at = now() - interval '91 days'
      where user_id = (select id from users where email = $1)`,
    [expired.email],
  );
  return {
    viewer: (await signIn('viewer')).caller,
    member: (await signIn('member')).caller,
    owner: owner.caller,
    'owner, foreign job': { ...owner.caller, foreignJob: true },
    'owner, from another page': {
      headers: { ...owner.caller.headers, origin: 'https://evil.test' },
    },
    'owner, expired': expired.caller,
    'owner no longer': former.caller,
    'owner of another': (await signIn('owner', stranger.organizationId)).caller,
  };
}

/** Every route, as Fastify prints its tree. */
function registered(app: FastifyInstance): string[] {
  const stack: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap(line => {
      const [, indent = '', part = '', methods = ''] =
        /^([ │]*)[├└]── (.+?)(?: \(([A-Z, -]+)\))?$/.exec(line) ?? [];
      stack.length = indent.length / 4;
      stack.push(part);
      const path = stack.join('').replaceAll('//', '/');
      return methods
        .split(', ')
        .filter(method => method !== '' && method !== 'HEAD' && method !== 'OPTIONS')
        .map(method => `${method} ${path}`);
    });
}

const dashboardRows = (): Record<string, Group> =>
  Object.fromEntries(
    Object.entries(DASHBOARD).map(([name, { who }]) => [
      name.replace(' ', ' /api/dashboard'),
      who as Group,
    ]),
  );

/** The statuses that a caller may get; null: any but a refusal and a fault. */
function expected(group: Group, name: string, route: string): number[] | null {
  const [method = '', path = ''] = route.split(' ');
  const session = name in BY_ROLE || name.startsWith('owner');
  const scoped = /:id\b/.test(path);
  switch (group) {
    case 'public':
    case 'link':
      return null;
    case 'host token':
      return [401, 404];
    case 'admin':
      if (name === 'admin') return null;
      if (name === 'admin, foreign job') return scoped ? [404, 400] : null;
      if (name === 'admin of another') return [404];
      return name.startsWith('assistant') || name === 'admin, wrong address'
        ? /expired|revoked/.test(name)
          ? [401]
          : [403]
        : [401];
    case 'assistant':
      if (name === 'assistant') return null;
      if (name === 'assistant of another') return [404, 403];
      if (name === 'assistant, wrong origin') return [403];
      return name.startsWith('admin') && !/expired|revoked/.test(name) ? [403] : [401];
    default:
      return expectedInDashboard(group, name, method, path, session);
  }
}

function expectedInDashboard(
  group: Group,
  name: string,
  method: string,
  path: string,
  session: boolean,
): number[] | null {
  const foreignPage = !session || name === 'owner, from another page';
  if (method !== 'GET' && foreignPage) return [403];
  if (group === 'anybody') return null;
  if (!session || name === 'owner, expired') return [401];
  if (group === 'self') return null;
  if (group === 'manager')
    return /^owner(?:, from another page|, foreign job)?$/.test(name) ? null : [403];
  if (name === 'owner no longer' || name === 'owner of another') return [404];
  if (name === 'owner, foreign job' && path.includes('/jobs/:id')) return [404, 400];
  const rank = BY_ROLE[(name in BY_ROLE ? name : 'owner') as keyof typeof BY_ROLE];
  return rank >= BY_ROLE[group as keyof typeof BY_ROLE] ? null : [403];
}

function urlOf(route: string, { foreignJob }: Caller): string {
  const { project } = dashboard.tenant;
  return (route.split(' ')[1] ?? '')
    .replace(':projectId', project.id)
    .replace(':organization', 'acme')
    .replace(':domain', project.domain)
    .replace(':repository', project.repository)
    .replace(':number', '1')
    .replace(':token', 'x'.repeat(22))
    .replace(':userId', 'usr_unknown')
    .replace(/(jobs?)\/:id/, `$1/${foreignJob ? jobs.theirs : jobs.ours}`)
    .replace(':id', newId('key'))
    .replace('*', '/x')
    .replace(/info\/refs$/, 'info/refs?service=git-upload-pack');
}

it('has a row for every route, and 22 callers', () => {
  const rows = { ...ROWS, ...dashboardRows() };
  expect(registered(dashboard.app).toSorted()).toEqual(Object.keys(rows).toSorted());
  expect(Object.keys(callers)).toHaveLength(22);
});

it('refuses and admits each caller on each route as its row says', async () => {
  const wrong: unknown[] = [];
  let cells = 0;
  for (const [route, group] of Object.entries({ ...ROWS, ...dashboardRows() }))
    for (const [name, caller] of Object.entries(callers)) {
      const may = expected(group, name, route);
      // What ends the caller's session or project would end the test.
      if (may === null && /^DELETE .*\/(?:session|projects\/:projectId)$/.test(route)) continue;
      const [method] = route.split(' ') as [NonNullable<InjectOptions['method']>];
      const headers = caller.headers;
      const body = method === 'GET' || method === 'DELETE' ? {} : { payload: may ? BODY : {} };
      const answer = await dashboard.app.inject({
        method,
        url: urlOf(route, caller),
        headers,
        ...body,
      });
      const { statusCode: status } = answer;
      cells += 1;
      const ok = may
        ? may.includes(status)
        : status < 500 && !(group !== 'anybody' && [401, 403].includes(status));
      if (!ok && status !== 503) wrong.push([route, name, status, may]);
    }
  expect(wrong).toEqual([]);
  expect(cells).toBeGreaterThan(1_500);
}, 180_000);
