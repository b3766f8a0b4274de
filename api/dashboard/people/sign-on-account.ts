import { acceptInvitation, listInvitationsOf } from '../../../shared/db/people/invitations.ts';
import { type Pool, type Transaction, transaction } from '../../../shared/db/pool.ts';
import {
  findUserByIdentity,
  hasIdentityOf,
  type Identity,
  linkIdentity,
} from '../../../shared/db/people/sign-on.ts';
import {
  addMember,
  createUser,
  findUserByEmail,
  type User,
} from '../../../shared/db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';

/**
 * The user that an identity stands for; undefined where its account has a password, which must
 * confirm the first time: the maker of that account never proved the address. Throws
 * `not_permitted`.
 */
export async function findOrMakeUser(
  pool: Pool,
  identity: Identity,
  provider: string,
): Promise<User | undefined> {
  return transaction(pool, async tx => {
    const linked = await findUserByIdentity(tx, identity);
    if (linked) return join(tx, linked, identity);
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
    if (!(await linkIdentity(tx, user.id, identity))) throw linkedElsewhere(email, provider);
    return join(tx, user, identity);
  }).catch((error: { code?: unknown }) => {
    if (error.code !== '23505') throw error; // the same person, in another window, was quicker
    throw new Problem('conflict', 'This account was just created in another window. Start again.');
  });
}

/**
 * Accepts what invites the address that the provider vouches for: the link proves no more than
 * that.
 */
export async function join(
  tx: Transaction,
  { id, email, name }: User,
  identity: Identity,
): Promise<User> {
  const invitations = identity.email === null ? [] : await listInvitationsOf(tx, identity.email);
  for (const invitation of invitations) {
    if (await acceptInvitation(tx, invitation.id))
      await addMember(tx, invitation.organizationId, id, invitation.role);
  }
  return { id, email, name };
}

export function linkedElsewhere(email: string, provider: string): Problem {
  return new Problem(
    'not_permitted',
    `${email} is linked to another account at ${provider}. ` +
      'Sign in with the password and unlink it under Account; ' +
      'the operator can make a link to set a new password.',
  );
}
