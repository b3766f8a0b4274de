import type { FastifyRequest } from 'fastify';
import { recordAudit, recordAuditOfUser } from '../../../db/audit/audit-log.ts';
import { acceptInvitation, listInvitationsOf } from '../../../db/people/invitations.ts';
import { type Pool, type Transaction, transaction } from '../../../db/pool.ts';
import {
  findUserByIdentity,
  hasIdentityOf,
  type Identity,
  linkIdentity,
} from '../../../db/people/sign-on.ts';
import { addMember, createUser, findUserByEmail, type User } from '../../../db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';
import { personOf } from '../../audit.ts';

/**
 * The user that an identity stands for; undefined where its account has a password, which must
 * confirm the first time: the maker of that account never proved the address. Throws
 * `not_permitted`.
 */
export async function findOrMakeUser(
  pool: Pool,
  request: FastifyRequest,
  identity: Identity,
  provider: string,
): Promise<User | undefined> {
  return transaction(pool, async tx => {
    const linked = await findUserByIdentity(tx, identity);
    if (linked) return join(tx, request, linked, identity);
    const { email } = identity;
    if (email === null)
      throw new Problem(
        'not_permitted',
        `${provider} has not verified your e-mail address (email_verified), ` +
          'so it cannot be used to sign in here.',
      );
    const known = await findUserByEmail(tx, email);
    if (known && (await hasIdentityOf(tx, known.id, identity.issuer)))
      throw linkedElsewhere(email, provider);
    if (known?.passwordHash) return undefined;
    if (!known && (await listInvitationsOf(tx, email)).length === 0) {
      throw new Problem(
        'not_permitted',
        `Your account ${email} is not known here: ` +
          'ask an owner of your organization for an invitation.',
      );
    }
    const user =
      known ??
      (await createUser(tx, {
        email,
        name: identity.name ?? email.split('@', 1)[0]!,
        passwordHash: null,
      }));
    // First: the link is recorded for the organizations that they belong to then.
    await join(tx, request, user, identity);
    await link(tx, request, user, { ...identity, email }, provider);
    return user;
  }).catch((error: { code?: unknown }) => {
    if (error.code !== '23505') throw error; // the same person, in another window, was quicker
    throw new Problem('conflict', 'This account was just created in another window. Start again.');
  });
}

/** Binds an identity to a user. Throws `not_permitted` if another account has it. */
export async function link(
  tx: Transaction,
  request: FastifyRequest,
  user: User,
  identity: Identity & { email: string },
  provider: string,
): Promise<void> {
  if (!(await linkIdentity(tx, user.id, identity))) throw linkedElsewhere(identity.email, provider);
  await recordAuditOfUser(tx, user.id, {
    action: 'sign_on.linked',
    actor: personOf(request, user),
    details: { issuer: identity.issuer },
  });
}

/**
 * Accepts what invites the address that the provider vouches for: the link proves no more than
 * that.
 */
export async function join(
  tx: Transaction,
  request: FastifyRequest,
  { id, email, name }: User,
  identity: Identity,
): Promise<User> {
  const invitations = identity.email === null ? [] : await listInvitationsOf(tx, identity.email);
  for (const invitation of invitations) {
    if (!(await acceptInvitation(tx, invitation.id))) continue;
    await addMember(tx, invitation.organizationId, id, invitation.role);
    await recordAudit(tx, invitation.organizationId, {
      action: 'member.joined',
      actor: personOf(request, { id, email, name }),
      details: { role: invitation.role },
    });
  }
  return { id, email, name };
}

function linkedElsewhere(email: string, provider: string): Problem {
  return new Problem(
    'not_permitted',
    `${email} is linked to another account at ${provider}. ` +
      'Sign in with the password and unlink it under Account; ' +
      'the operator can make a link to set a new password.',
  );
}
