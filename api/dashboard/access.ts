import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Role } from './contract/people.ts';
import type { Access } from './contract/routes/route-entry.ts';
import type { Job } from '../../db/jobs/job.ts';
import type { Pool } from '../../db/pool.ts';
import { findProject, type Project } from '../../db/projects/projects.ts';
import { managesOrganizations } from '../../db/people/organizations.ts';
import { findSession, type SignedIn } from '../../db/people/sessions.ts';
import { findMembership, findProjectMembership, type Membership } from '../../db/people/users.ts';
import { Problem } from '../../shared/errors.ts';
import { requireJob } from '../../jobs/read-job.ts';
import { isPlainId } from '../../shared/ids.ts';
import type { SecretCookie } from './people/secret-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call a route of the dashboard: a route without it cannot be registered. */
    who?: Access;
  }
  interface FastifyRequest {
    /** On routes for others than `anybody`. */
    signedIn: SignedIn;
    /** On routes for a role. */
    membership: Membership;
    /** On routes with `:projectId`. */
    project: Project;
    /** On routes below `/jobs/:id`. */
    job: Job;
  }
}

const RANK = { viewer: 0, member: 1, owner: 2 } as const;

export function isAtLeast(role: Role, wanted: Role): boolean {
  return RANK[role] >= RANK[wanted];
}

/**
 * Checks every request of a scope before its body is read: that it comes from a page of ours, that
 * the session is valid, and that the organization in its path is one of the user's (404), in which
 * their role permits it (403).
 */
export function registerAccess(
  scope: FastifyInstance,
  options: { pool: Pool; cookie: SecretCookie; publicUrl: string },
): void {
  const { pool, cookie } = options;
  const ours = new URL(options.publicUrl).origin;
  for (const name of ['signedIn', 'membership', 'project', 'job']) scope.decorateRequest(name);

  scope.addHook('onRoute', ({ config, method, url }) => {
    const who = config?.who;
    const route = `route ${String(method)} ${url}`;
    if (!who) throw new Error(`${route} does not name who may call it`);
    if (/\/:(organization|projectId)(\/|$)/.test(url) !== who in RANK)
      throw new Error(`${route} is for ${who}, which does not fit its path`);
  });

  scope.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    refuseOtherSites(request, ours);
    const { who } = request.routeOptions.config;
    if (who === 'anybody') return;
    const token = cookie.read(request);
    const signedIn = token === undefined ? undefined : await findSession(pool, token);
    if (!signedIn) throw new Problem('not_signed_in', 'Sign in first.');
    request.signedIn = signedIn;
    if (who === 'manager') await requireManager(pool, signedIn.user.id);
    else if (who !== undefined && who !== 'self') await requireRole(pool, request, who);
  });

  // After the schemas: a wrong body is answered before an unknown job is.
  scope.addHook('preHandler', async request => {
    if (!request.routeOptions.url?.includes('/:projectId/jobs/:id')) return;
    const { id } = request.params as { id: string };
    request.job = await requireJob({ pool }, request.project.id, id);
  });
}

async function requireManager(pool: Pool, userId: string): Promise<void> {
  if (!(await managesOrganizations(pool, userId)))
    throw new Problem(
      'not_permitted',
      "Only owners of the installation's first organization may see and make organizations.",
    );
}

async function requireRole(pool: Pool, request: FastifyRequest, needed: Role): Promise<void> {
  await enter(pool, request);
  const { role, organization } = request.membership;
  if (!isAtLeast(role, needed))
    throw new Problem(
      'not_permitted',
      `You need the role ${needed} in ${organization.name}; yours is ${role}.`,
    );
}

/**
 * Finds the organization and the project of the path. Those of others are as unknown as those that
 * never were.
 */
async function enter(pool: Pool, request: FastifyRequest): Promise<void> {
  const { organization, projectId } = request.params as {
    organization?: string;
    projectId?: string;
  };
  const { id: userId } = request.signedIn.user;
  if (projectId === undefined) {
    const membership = isPlainId(organization ?? '')
      ? await findMembership(pool, userId, organization ?? '')
      : undefined;
    if (!membership) throw new Problem('not_found', 'There is no such organization.');
    request.membership = membership;
    return;
  }
  const membership = isPlainId(projectId)
    ? await findProjectMembership(pool, userId, projectId)
    : undefined;
  const project = membership && (await findProject(pool, projectId));
  if (!project) throw new Problem('not_found', 'There is no such project.');
  Object.assign(request, { membership, project });
}

/**
 * Against forged requests: what changes something must come from a page of our own origin, by the
 * browser's word. Programs send neither header; they have API keys.
 */
function refuseOtherSites(request: FastifyRequest, ours: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const sameOrigin =
    origin !== undefined &&
    (origin === ours || (URL.canParse(origin) && new URL(origin).host === host));
  if (!sameOrigin || (site !== undefined && site !== 'same-origin')) {
    throw new Problem('not_permitted', 'The dashboard accepts requests only from its own pages.');
  }
}
