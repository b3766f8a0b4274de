import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Role } from '../../shared/dashboard/people.ts';
import type { Pool } from '../../shared/db/pool.ts';
import { findProject, type Project } from '../../shared/db/projects/projects.ts';
import { findSession, type SignedIn } from '../../shared/db/people/sessions.ts';
import {
  findMembership,
  findProjectMembership,
  type Membership,
} from '../../shared/db/people/users.ts';
import { Problem } from '../../shared/errors.ts';
import { isPlainId } from '../plugins/path-project.ts';
import type { SecretCookie } from './people/secret-cookie.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Who may call a route of the dashboard: anybody, whoever is signed in (`self`), or who has at
     * least this role in the organization that `:organization` or `:projectId` in the path names. A
     * route that does not say is refused at registration.
     */
    role?: Role | 'self' | 'anybody';
  }
  interface FastifyRequest {
    /** On routes for others than `anybody`. */
    signedIn: SignedIn;
    /** On routes for a role. */
    membership: Membership;
    /** On routes with `:projectId`. */
    project: Project;
  }
}

const RANK = { viewer: 0, member: 1, owner: 2 } as const;

export function isAtLeast(role: Role, wanted: Role): boolean {
  return RANK[role] >= RANK[wanted];
}

/**
 * Checks every request of a scope before its body is read: that it comes from a page of ours, that
 * somebody is signed in, and that the organization in its path is one of theirs (404), in which
 * their role allows it (403).
 */
export function registerAccess(
  scope: FastifyInstance,
  options: { pool: Pool; cookie: SecretCookie; publicUrl: string },
): void {
  const { pool, cookie } = options;
  const ours = new URL(options.publicUrl).origin;
  for (const name of ['signedIn', 'membership', 'project']) scope.decorateRequest(name);

  scope.addHook('onRoute', ({ config, method, url }) => {
    const role = config?.role;
    if (!role) throw new Error(`route ${String(method)} ${url} does not say who may call it`);
    const scoped = /\/:(organization|projectId)(\/|$)/.test(url);
    if (scoped !== role in RANK)
      throw new Error(
        `route ${String(method)} ${url} is for ${role}, of which its path says ${scoped ? 'otherwise' : 'nothing'}`,
      );
  });

  scope.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    refuseOtherSites(request, ours);
    const { role } = request.routeOptions.config;
    if (role === 'anybody') return;
    const token = cookie.read(request);
    const signedIn = token === undefined ? undefined : await findSession(pool, token);
    if (!signedIn) throw new Problem('not_signed_in', 'Sign in first.');
    request.signedIn = signedIn;
    if (role === undefined || role === 'self') return;
    await enter(pool, request);
    if (!isAtLeast(request.membership.role, role)) {
      throw new Problem(
        'not_permitted',
        `This takes the role ${role}; yours in ${request.membership.organization.name} is ${request.membership.role}.`,
      );
    }
  });
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
    throw new Problem('not_permitted', 'The dashboard takes requests from its own pages only.');
  }
}
