import type { FastifyRequest } from 'fastify';
import { invitationLink } from '../../../shared/links.ts';
import type { InvitationMade, MemberList, NewInvitation, Role } from '../contract/people.ts';
import { recordAudit } from '../../../db/audit/audit-log.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '../../../db/people/invitations.ts';
import { renameOrganization } from '../../../db/people/organizations.ts';
import { changeMember, findUser, listMembers, type Membership } from '../../../db/people/users.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { actorOf } from '../../audit.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { signedInSession } from './session.ts';

/** An organization and who belongs to it. */
export function organizationRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  return {
    'PATCH /organizations/:organization': async request => {
      const { membership, signedIn, body } = request;
      const { id, name: before } = membership.organization;
      await transaction(pool, async tx => {
        await renameOrganization(tx, id, body.name.trim());
        await recordAudit(tx, id, {
          action: 'organization.renamed',
          actor: actorOf(request),
          details: { before, after: body.name.trim() },
        });
      });
      return signedInSession(deps, signedIn);
    },

    'GET /organizations/:organization/members': ({ membership }) => memberList(pool, membership),

    'PATCH /organizations/:organization/members/:userId': async request => {
      await change(pool, request, request.params.userId, request.body.role);
      return memberList(pool, request.membership);
    },

    'DELETE /organizations/:organization/members/:userId': async request => {
      await change(pool, request, request.params.userId, null);
      return memberList(pool, request.membership);
    },

    'POST /organizations/:organization/invitations': request => invite(deps, request, request.body),

    'DELETE /organizations/:organization/invitations/:id': async request => {
      await withdraw(pool, request, request.params.id);
      return memberList(pool, request.membership);
    },
  } satisfies Partial<Handlers>;
}

async function invite(
  { pool, publicUrl }: DashboardDeps,
  request: FastifyRequest,
  wanted: NewInvitation,
): Promise<InvitationMade> {
  const { organization } = request.membership;
  const members = await listMembers(pool, organization.id);
  if (members.some(({ email }) => email.toLowerCase() === wanted.email.toLowerCase()))
    throw new Problem('conflict', `${wanted.email} is a member already.`);
  const { token, invitation } = await transaction(pool, async tx => {
    const made = await createInvitation(tx, {
      organizationId: organization.id,
      ...wanted,
      createdBy: request.signedIn.user.id,
    });
    await recordAudit(tx, organization.id, {
      action: 'invitation.created',
      actor: actorOf(request),
      subject: { kind: 'invitation', id: made.invitation.id, name: wanted.email },
      details: { role: wanted.role },
    });
    return made;
  });
  return {
    id: invitation.id,
    ...wanted,
    link: invitationLink(publicUrl, token),
    expiresAt: invitation.expiresAt.toISOString(),
  };
}

async function memberList(pool: Pool, { organization, role }: Membership): Promise<MemberList> {
  const members = await listMembers(pool, organization.id);
  const invitations = isAtLeast(role, 'owner') ? await listInvitations(pool, organization.id) : [];
  return {
    members: members.map(each => ({
      userId: each.id,
      name: each.name,
      email: each.email,
      role: each.role,
      joinedAt: each.joinedAt.toISOString(),
      lastSeenAt: each.lastSeenAt?.toISOString() ?? null,
    })),
    invitations: invitations.map(each => ({
      id: each.id,
      email: each.email,
      role: each.role,
      createdAt: each.createdAt.toISOString(),
      expiresAt: each.expiresAt.toISOString(),
    })),
  };
}

async function change(
  pool: Pool,
  request: FastifyRequest,
  userId: string,
  role: Role | null,
): Promise<void> {
  const { organization } = request.membership;
  const outcome = await transaction(pool, async tx => {
    const changed = await changeMember(tx, organization.id, userId, role);
    if (typeof changed === 'string') return changed;
    const { email } = await findUser(tx, userId);
    await recordAudit(tx, organization.id, {
      action: role === null ? 'member.removed' : 'member.role_changed',
      actor: actorOf(request),
      subject: { kind: 'user', id: userId, name: email },
      details: { before: changed.before, ...(role !== null && { after: role }) },
    });
    return undefined;
  });
  if (outcome === 'unknown') throw new Problem('not_found', 'There is no such member.');
  if (outcome === 'last_owner')
    throw new Problem(
      'conflict',
      'An organization needs an owner: make another member an owner first.',
    );
}

async function withdraw(pool: Pool, request: FastifyRequest, invitationId: string): Promise<void> {
  const { organization } = request.membership;
  await transaction(pool, async tx => {
    const email = await deleteInvitation(tx, organization.id, invitationId);
    if (email === undefined) throw new Problem('not_found', 'There is no such invitation.');
    await recordAudit(tx, organization.id, {
      action: 'invitation.withdrawn',
      actor: actorOf(request),
      subject: { kind: 'invitation', id: invitationId, ...(email !== null && { name: email }) },
    });
  });
}
