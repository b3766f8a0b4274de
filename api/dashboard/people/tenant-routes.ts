import type { FastifyRequest } from 'fastify';
import { invitationLink } from '../../../shared/links.ts';
import type { NewOrganization, OrganizationMade } from '../contract/organizations.ts';
import { recordAudit } from '../../../db/audit/audit-log.ts';
import { createInvitation } from '../../../db/people/invitations.ts';
import { summarizeOrganizations, createOrganization } from '../../../db/people/organizations.ts';
import { transaction } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { actorOf } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

/** The organizations of the installation, for those who manage them. */
export function tenantRoutes(deps: DashboardDeps) {
  return {
    'GET /organizations': async () => ({
      organizations: (await summarizeOrganizations(deps.pool)).map(({ createdAt, ...rest }) => ({
        ...rest,
        createdAt: createdAt.toISOString(),
      })),
    }),

    'POST /organizations': request => make(deps, request, request.body),
  } satisfies Partial<Handlers>;
}

/** Makes an organization and invites its first owner. Its maker does not become a member. */
async function make(
  { pool, publicUrl }: DashboardDeps,
  request: FastifyRequest,
  { slug, name, owner }: NewOrganization,
): Promise<OrganizationMade> {
  return transaction(pool, async tx => {
    const { id: organizationId } = await createOrganization(tx, { slug, name: name.trim() });
    const { token, invitation } = await createInvitation(tx, {
      organizationId,
      email: owner,
      role: 'owner',
      createdBy: request.signedIn.user.id,
    });
    const actor = actorOf(request);
    await recordAudit(tx, organizationId, {
      action: 'organization.created',
      actor,
      subject: { kind: 'organization', id: organizationId, name: slug },
    });
    await recordAudit(tx, organizationId, {
      action: 'invitation.created',
      actor,
      subject: { kind: 'invitation', id: invitation.id, name: owner },
      details: { role: 'owner' },
    });
    return {
      id: organizationId,
      slug,
      name: name.trim(),
      owner,
      link: invitationLink(publicUrl, token),
      expiresAt: invitation.expiresAt.toISOString(),
    };
  }).catch((error: { code?: unknown }) => {
    if (error.code === '23505') throw atSlug('conflict', slug, 'is taken');
    if (error instanceof Problem && error.code === 'invalid_request')
      throw atSlug('invalid_request', slug, 'is the address of a page');
    throw error;
  });
}

function atSlug(code: 'conflict' | 'invalid_request', slug: string, message: string): Problem {
  return new Problem(code, `The slug ${slug} ${message}.`, { errors: [{ path: 'slug', message }] });
}
