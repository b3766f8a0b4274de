import { invitationLink } from '../../../shared/dashboard/links.ts';
import type {
  InvitationMade,
  MemberList,
  NewInvitation,
  Role,
} from '../../../shared/dashboard/people.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '../../../shared/db/people/invitations.ts';
import { renameOrganization } from '../../../shared/db/people/organizations.ts';
import { changeMember, listMembers, type Membership } from '../../../shared/db/people/users.ts';
import { type Pool, transaction } from '../../../shared/db/pool.ts';
import { Problem } from '../../../shared/errors.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { signedInSession } from './session.ts';

/** An organization and who belongs to it. */
export function organizationRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  return {
    'PATCH /organizations/:organization': async ({ membership, signedIn, body }) => {
      await renameOrganization(pool, membership.organization.id, body.name.trim());
      return signedInSession(deps, signedIn);
    },

    'GET /organizations/:organization/members': ({ membership }) => memberList(pool, membership),

    'PATCH /organizations/:organization/members/:userId': async ({ membership, params, body }) => {
      await change(pool, membership, params.userId, body.role);
      return memberList(pool, membership);
    },

    'DELETE /organizations/:organization/members/:userId': async ({ membership, params }) => {
      await change(pool, membership, params.userId, null);
      return memberList(pool, membership);
    },

    'POST /organizations/:organization/invitations': ({ membership, signedIn, body }) =>
      invite(deps, membership, signedIn.user.id, body),

    'DELETE /organizations/:organization/invitations/:id': async ({ membership, params }) => {
      if (!(await deleteInvitation(pool, membership.organization.id, params.id)))
        throw new Problem('not_found', 'There is no such invitation.');
      return memberList(pool, membership);
    },
  } satisfies Partial<Handlers>;
}

async function invite(
  { pool, publicUrl }: DashboardDeps,
  { organization }: Membership,
  createdBy: string,
  wanted: NewInvitation,
): Promise<InvitationMade> {
  const members = await listMembers(pool, organization.id);
  if (members.some(({ email }) => email.toLowerCase() === wanted.email.toLowerCase()))
    throw new Problem('conflict', `${wanted.email} is a member already.`);
  const { token, invitation } = await transaction(pool, tx =>
    createInvitation(tx, { organizationId: organization.id, ...wanted, createdBy }),
  );
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
  { organization }: Membership,
  userId: string,
  role: Role | null,
): Promise<void> {
  const outcome = await transaction(pool, tx => changeMember(tx, organization.id, userId, role));
  if (outcome === 'unknown') throw new Problem('not_found', 'There is no such member.');
  if (outcome === 'last_owner')
    throw new Problem(
      'conflict',
      'An organization needs an owner: make another member an owner first.',
    );
}
