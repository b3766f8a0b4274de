import { createHmac, randomUUID } from 'node:crypto';
import { createKey } from '../../../db/projects/keys.ts';
import { createProject } from '../../../db/projects/projects.ts';
import { mintKey } from '../../../shared/secrets/api-keys.ts';
import { ORIGIN, type TestDashboard } from '../../dashboard/api/harness.ts';

export const WEBHOOK_SECRET = 'webhook-secret-of-the-tests';
export const HOST_TOKEN = 'local-host-token-of-the-tests';
/** The body of every call of the webhook. */
export const DELIVERY = '{"zen":"x"}';

export interface Caller {
  headers: Record<string, string>;
  /** Names the other tenant's job below the own project. */
  foreignJob?: true;
}
export type Callers = Record<string, Caller>;

export async function everyCaller(dashboard: TestDashboard): Promise<Callers> {
  const signature = createHmac('sha256', WEBHOOK_SECRET).update(DELIVERY).digest('hex');
  return {
    nobody: { headers: {} },
    'signed delivery': { headers: { 'x-hub-signature-256': `sha256=${signature}` } },
    'host token': bearer(HOST_TOKEN),
    ...(await adminKeys(dashboard)),
    ...(await assistantKeys(dashboard)),
    ...(await sessions(dashboard)),
  };
}

function bearer(token: string, more: Record<string, string> = {}): Caller {
  return { headers: { authorization: `Bearer ${token}`, ...more } };
}

function keysOf({ tenant: { organizationId, project }, pool }: TestDashboard) {
  return async (kind: 'admin' | 'assistant', more: object = {}): Promise<string> => {
    const of = kind === 'assistant' && { projectId: project.id };
    return (await createKey(pool, { organizationId, kind, name: 'x', ...of, ...more })).token;
  };
}

async function revoked(dashboard: TestDashboard, kind: 'admin' | 'assistant'): Promise<Caller> {
  const name = `revoked ${kind}`;
  const token = await keysOf(dashboard)(kind, { name });
  await dashboard.pool.query('update api_keys set revoked_at = now() where name = $1', [name]);
  return bearer(token);
}

const EXPIRED = { expiresAt: new Date(Date.now() - 1_000) };

async function adminKeys(dashboard: TestDashboard): Promise<Callers> {
  const { tenant, stranger } = dashboard;
  const make = keysOf(dashboard);
  return {
    'a malformed key': bearer('svc_x'),
    'an unknown key': bearer(mintKey('admin').token),
    admin: bearer(tenant.adminKey),
    'admin, foreign job': { ...bearer(tenant.adminKey), foreignJob: true },
    'admin, expired': bearer(await make('admin', EXPIRED)),
    'admin, revoked': await revoked(dashboard, 'admin'),
    'admin, wrong address': bearer(await make('admin', { allowedAddresses: ['192.0.2.0/24'] })),
    'admin of another': bearer(stranger.adminKey),
  };
}

async function assistantKeys(dashboard: TestDashboard): Promise<Callers> {
  const { tenant, stranger, pool } = dashboard;
  const make = keysOf(dashboard);
  const { id: other } = await createProject(pool, {
    organizationId: tenant.organizationId,
    name: 'other',
    domain: 'other-docs',
    host: 'local',
    repository: 'other',
    repositoryUrl: 'http://x',
    baseRef: 'main',
  });
  const origins = { allowedOrigins: ['https://docs.acme.test'] };
  return {
    assistant: bearer(tenant.assistantKey),
    'assistant, expired': bearer(await make('assistant', EXPIRED)),
    'assistant, revoked': await revoked(dashboard, 'assistant'),
    'assistant, wrong origin': bearer(await make('assistant', origins), {
      origin: 'https://evil.test',
    }),
    'assistant of another domain': bearer(await make('assistant', { projectId: other })),
    'assistant of another': bearer(stranger.assistantKey),
  };
}

async function sessions(dashboard: TestDashboard): Promise<Callers> {
  const page = { host: 'docent.test', origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  const { pool, stranger } = dashboard;
  const signIn = async (role: 'viewer' | 'member' | 'owner', organizationId?: string) => {
    const email = `${role}-${randomUUID()}@acme.test`;
    const { cookie = '' } = await dashboard.signIn(email, role, organizationId);
    return { email, caller: { headers: { ...page, cookie } } };
  };
  const owner = await signIn('owner');
  const former = await signIn('owner');
  const expired = await signIn('owner');
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
    'owner, foreign job': { ...(await signIn('owner')).caller, foreignJob: true },
    'owner, from another page': {
      headers: { ...(await signIn('owner')).caller.headers, origin: 'https://evil.test' },
    },
    'owner, expired': expired.caller,
    'owner no longer': former.caller,
    'owner of another': (await signIn('owner', stranger.organizationId)).caller,
  };
}
