import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../../../shared/config.ts';
import {
  type Key,
  KeyList,
  KeyMade,
  KeyParams,
  NewKey,
  ProjectParams,
  RotateKey,
} from '../../../shared/dashboard/projects.ts';
import { type ApiKey, createKey, revokeKey, rotateKey } from '../../../shared/db/projects/keys.ts';
import { readLimitUse } from '../../../shared/db/assistant/limits.ts';
import type { Pool } from '../../../shared/db/pool.ts';
import { listProjectKeys } from '../../../shared/db/projects/project-keys.ts';
import type { Project } from '../../../shared/db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import type { DashboardDeps } from '../deps.ts';

const DAY_MS = 86_400_000;

/** The API keys that open a project. */
export const keyRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (
  app,
  { pool, config },
) => {
  const owner = { role: 'owner' } as const;

  app.get(
    '/projects/:projectId/keys',
    { config: { role: 'viewer' }, schema: { params: ProjectParams, response: { 200: KeyList } } },
    async ({ project }) => ({ keys: await keysOf(pool, config, project) }),
  );

  app.post(
    '/projects/:projectId/keys',
    { config: owner, schema: { params: ProjectParams, body: NewKey, response: { 201: KeyMade } } },
    async (request, reply) => {
      const { project, signedIn, body } = request;
      const made = await createKey(pool, {
        organizationId: project.organizationId,
        kind: body.kind,
        name: body.name.trim(),
        createdBy: signedIn.user.id,
        allowedOrigins: body.allowedOrigins ?? [],
        allowedAddresses: body.allowedAddresses ?? [],
        ...(body.kind === 'assistant' && { projectId: project.id }),
        ...(body.kind === 'assistant' &&
          body.monthlyLimit !== undefined && { monthlyLimit: body.monthlyLimit }),
        ...(body.expiresInDays !== undefined && {
          expiresAt: new Date(Date.now() + body.expiresInDays * DAY_MS),
        }),
      });
      reply.code(201);
      return keyMade(pool, config, project, made);
    },
  );

  app.post(
    '/projects/:projectId/keys/:id/rotate',
    { config: owner, schema: { params: KeyParams, body: RotateKey, response: { 200: KeyMade } } },
    async ({ project, params, body }) => {
      await requireKey(pool, config, project, params.id);
      const made = await rotateKey(pool, project.organizationId, params.id, body.graceHours);
      if (!made) throw new Problem('conflict', 'This key has ended already; create a new one.');
      return keyMade(pool, config, project, made);
    },
  );

  app.post(
    '/projects/:projectId/keys/:id/revoke',
    { config: owner, schema: { params: KeyParams, response: { 200: KeyList } } },
    async ({ project, params }) => {
      await requireKey(pool, config, project, params.id);
      await revokeKey(pool, project.organizationId, params.id);
      return { keys: await keysOf(pool, config, project) };
    },
  );
};

async function keysOf(
  pool: Pool,
  config: Config,
  project: Project,
  keyId?: string,
): Promise<Key[]> {
  const rows = await listProjectKeys(pool, project, keyId);
  const uses = await readLimitUse(
    pool,
    'key',
    rows.map(({ id }) => id),
  );
  const iso = (date: Date | null) => date?.toISOString() ?? null;
  return rows.map(row => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    start: row.start,
    state: row.state,
    createdAt: row.createdAt.toISOString(),
    expiresAt: iso(row.expiresAt),
    revokedAt: iso(row.revokedAt),
    lastUsedAt: iso(row.lastUsedAt),
    allowedOrigins: row.allowedOrigins,
    allowedAddresses: row.allowedAddresses,
    usesThisMonth: row.kind === 'admin' ? row.jobsThisMonth : (uses.get(row.id) ?? 0),
    monthlyLimit:
      row.kind === 'admin' ? null : (row.monthlyLimit ?? config.ASSISTANT_KEY_MONTHLY_LIMIT),
  }));
}

/** A key of this project; throws 404 for any other. */
async function requireKey(
  pool: Pool,
  config: Config,
  project: Project,
  keyId: string,
): Promise<Key> {
  const [key] = await keysOf(pool, config, project, keyId);
  if (!key) throw new Problem('not_found', 'There is no such key.');
  return key;
}

async function keyMade(
  pool: Pool,
  config: Config,
  project: Project,
  made: { token: string; key: ApiKey },
): Promise<{ token: string; key: Key }> {
  return { token: made.token, key: await requireKey(pool, config, project, made.key.id) };
}
