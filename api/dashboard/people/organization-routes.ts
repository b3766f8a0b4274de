import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  InvitationMade,
  InvitationParams,
  MemberChange,
  MemberList,
  MemberParams,
  NewInvitation,
  OrganizationChange,
  OrganizationParams,
  type Role,
  Session,
} from '../../../shared/dashboard/people.ts';
import {
  createInvitation,
  deleteInvitation,
  listInvitations,
} from '../../../shared/db/people/invitations.ts';
import { renameOrganization } from '../../../shared/db/people/organizations.ts';
import { type Pool, transaction } from '../../../shared/db/pool.ts';
import { changeMember, listMembers, type Membership } from '../../../shared/db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';
import { isAtLeast } from '../access.ts';
import type { DashboardDeps } from '../deps.ts';
import { invitationLink } from '../../../shared/dashboard/links.ts';
import { sessionBody } from './session-routes.ts';

/** An organization and who belongs to it. */
export const organizationRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  const { pool } = deps;
  const owner = { role: 'owner' } as const;
  const answer = { 200: MemberList };

  app.patch(
    '/organizations/:organization',
    {
      config: owner,
      schema: { params: OrganizationParams, body: OrganizationChange, response: { 200: Session } },
    },
    async request => {
      await renameOrganization(pool, request.membership.organization.id, request.body.name.trim());
      return sessionBody(deps, request.signedIn);
    },
  );

  app.get(
    '/organizations/:organization/members',
    { config: { role: 'viewer' }, schema: { params: OrganizationParams, response: answer } },
    request => memberList(pool, request.membership),
  );

  app.patch(
    '/organizations/:organization/members/:userId',
    {
      config: owner,
      schema: { params: MemberParams, body: MemberChange, response: answer },
    },
    async ({ membership, params, body }) => {
      await change(pool, membership, params.userId, body.role);
      return memberList(pool, membership);
    },
  );

  app.delete(
    '/organizations/:organization/members/:userId',
    { config: owner, schema: { params: MemberParams, response: answer } },
    async ({ membership, params }) => {
      await change(pool, membership, params.userId, null);
      return memberList(pool, membership);
    },
  );

  app.post(
    '/organizations/:organization/invitations',
    {
      config: owner,
      schema: {
        params: OrganizationParams,
        body: NewInvitation,
        response: { 200: InvitationMade },
      },
    },
    async ({ membership, signedIn, body }) => {
      const { organization } = membership;
      const members = await listMembers(pool, organization.id);
      if (members.some(({ email }) => email.toLowerCase() === body.email.toLowerCase()))
        throw new Problem('conflict', `${body.email} is a member already.`);
      const { token, invitation } = await transaction(pool, tx =>
        createInvitation(tx, {
          organizationId: organization.id,
          ...body,
          createdBy: signedIn.user.id,
        }),
      );
      return {
        id: invitation.id,
        ...body,
        link: invitationLink(deps.publicUrl, token),
        expiresAt: invitation.expiresAt.toISOString(),
      };
    },
  );

  app.delete(
    '/organizations/:organization/invitations/:id',
    { config: owner, schema: { params: InvitationParams, response: answer } },
    async ({ membership, params }) => {
      if (!(await deleteInvitation(pool, membership.organization.id, params.id)))
        throw new Problem('not_found', 'There is no such invitation.');
      return memberList(pool, membership);
    },
  );
};

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
    throw new Problem('conflict', 'An organization needs an owner: make another member one first.');
}
