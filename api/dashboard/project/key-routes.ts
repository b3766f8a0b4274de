import type { FastifyRequest } from 'fastify';
import type { AuditAction } from '../../../db/audit/audit-actions.ts';
import type { Config } from '../../../shared/config.ts';
import type { Key, NewKey } from '../contract/projects/projects.ts';
import { type AuditEvent, recordAudit } from '../../../db/audit/audit-log.ts';
import { readLimitUse } from '../../../db/assistant/limits.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import { createKey, revokeKey, rotateKey } from '../../../db/projects/keys.ts';
import { listProjectKeys } from '../../../db/projects/project-keys.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { Problem } from '../../../shared/errors.ts';
import { actorOf } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

const DAY_MS = 86_400_000;

/** The API keys that open a project. */
export function keyRoutes({ pool, config }: DashboardDeps) {
  return {
    'GET /projects/:projectId/keys': async ({ project }) => ({
      keys: await keysOf(pool, config, project),
    }),

    'POST /projects/:projectId/keys': async request => {
      const { project, signedIn, body } = request;
      const { token, key } = await transaction(pool, async tx => {
        const made = await createKey(tx, {
          organizationId: project.organizationId,
          createdBy: signedIn.user.id,
          ...settingsOf(body, project),
        });
        await recordAudit(tx, project.organizationId, {
          ...aboutKey('key.created', request, made.key),
          details: { kind: made.key.kind, expiresAt: made.key.expiresAt },
        });
        return made;
      });
      return { token, key: await requireKey(pool, config, project, key.id) };
    },

    'POST /projects/:projectId/keys/:id/rotate': async request => {
      const { project, params, body } = request;
      const old = await requireKey(pool, config, project, params.id);
      const made = await transaction(pool, async tx => {
        const next = await rotateKey(tx, project.organizationId, params.id, body.graceHours);
        if (next)
          await recordAudit(tx, project.organizationId, {
            ...aboutKey('key.rotated', request, old),
            details: { successor: next.key.id, graceHours: body.graceHours },
          });
        return next;
      });
      if (!made)
        throw new Problem('conflict', 'This key is already expired or revoked; create a new one.');
      return { token: made.token, key: await requireKey(pool, config, project, made.key.id) };
    },

    'POST /projects/:projectId/keys/:id/revoke': async request => {
      const { project, params } = request;
      const key = await requireKey(pool, config, project, params.id);
      await transaction(pool, async tx => {
        await revokeKey(tx, project.organizationId, params.id);
        await recordAudit(tx, project.organizationId, aboutKey('key.revoked', request, key));
      });
      return { keys: await keysOf(pool, config, project) };
    },
  } satisfies Partial<Handlers>;
}

function aboutKey(
  action: AuditAction,
  request: FastifyRequest,
  { id, start, name }: Pick<Key, 'id' | 'start' | 'name'>,
): AuditEvent {
  return {
    action,
    actor: actorOf(request),
    subject: { kind: 'key', id, name: `${name} (${start})` },
  };
}

function settingsOf(wanted: NewKey, project: Project) {
  const { kind, name, allowedOrigins, allowedAddresses, monthlyLimit, expiresInDays } = wanted;
  return {
    kind,
    name: name.trim(),
    allowedOrigins: allowedOrigins ?? [],
    allowedAddresses: allowedAddresses ?? [],
    ...(kind === 'assistant' && { projectId: project.id }),
    ...(kind === 'assistant' && monthlyLimit !== undefined && { monthlyLimit }),
    ...(expiresInDays !== undefined && {
      expiresAt: new Date(Date.now() + expiresInDays * DAY_MS),
    }),
  };
}

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
