import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ConfirmSignOn,
  type Session,
  Session as SessionSchema,
  SignOnAnswer,
  SignOnBegun,
  SignOnReturn,
} from '../../../shared/dashboard/people.ts';
import { acceptInvitation, listInvitationsOf } from '../../../shared/db/people/invitations.ts';
import { type Pool, type Transaction, transaction } from '../../../shared/db/pool.ts';
import {
  createSignOnAttempt,
  findUnconfirmed,
  findUserByIdentity,
  hasIdentityOf,
  type Identity,
  keepUnconfirmed,
  linkIdentity,
  takeSignOnAttempt,
  takeUnconfirmed,
} from '../../../shared/db/people/sign-on.ts';
import {
  addMember,
  createUser,
  findUserByEmail,
  type User,
} from '../../../shared/db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';
import { confirmPassword, limitAttempts } from './sign-in-limit.ts';
import { SecretCookie } from './secret-cookie.ts';
import type { DashboardDeps } from '../deps.ts';
import type { SignOn } from './sign-on-provider.ts';

const ATTEMPT_SECONDS = 600;
const anybody = { role: 'anybody' } as const;

interface Options extends DashboardDeps {
  signOn: SignOn | undefined;
  enter: (request: FastifyRequest, reply: FastifyReply, user: User) => Promise<Session>;
}

/**
 * Sign-in through a provider. It lets in whom it has let in before, by issuer and subject; else who
 * has an account or an open invitation under the address that the provider vouches for. Nobody can
 * sign up.
 */
export const signOnRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { pool, publicUrl, signOn, enter },
) => {
  const cookie = new SecretCookie(publicUrl, 'docent-sign-on', ATTEMPT_SECONDS);
  const provider = (): SignOn => {
    if (!signOn) throw new Problem('not_found', 'No sign-in provider is set up here.');
    return signOn;
  };
  const stale = () =>
    new Problem(
      'invalid_request',
      `This sign-in was used already, took too long, or was begun in another browser. Begin again at ${publicUrl}/dashboard.`,
    );

  app.post(
    '/sign-on',
    { config: anybody, schema: { response: { 200: SignOnBegun } } },
    async (request, reply) => {
      const asked = provider();
      await limitAttempts(pool, request, null);
      const { token } = await createSignOnAttempt(pool);
      const url = await asked.address(token, request.log);
      cookie.set(reply, token);
      return { url };
    },
  );

  app.post(
    '/sign-on/callback',
    { config: anybody, schema: { body: SignOnReturn, response: { 200: SignOnAnswer } } },
    async (request, reply) => {
      const asked = provider();
      const token = cookie.read(request);
      const query = new URLSearchParams(request.body.query);
      // Looked at before the attempt is used up: a forged return must not end the real one.
      if (
        token === undefined ||
        !asked.isAnswerTo(token, query) ||
        !(await takeSignOnAttempt(pool, token))
      )
        throw stale();
      const identity = await asked.redeem(token, query, request.log);
      const user = await findOrMake(pool, identity, asked.name);
      if (user) return { session: await enter(request, reply, user) };
      const { email } = identity as Identity & { email: string };
      await keepUnconfirmed(pool, token, { ...identity, email });
      return { confirm: email };
    },
  );

  app.post(
    '/sign-on/confirm',
    { config: anybody, schema: { body: ConfirmSignOn, response: { 200: SessionSchema } } },
    async (request, reply) => {
      const { name } = provider();
      const token = cookie.read(request);
      const identity = token === undefined ? undefined : await findUnconfirmed(pool, token);
      if (token === undefined || !identity) throw stale();
      const user = await confirmPassword(
        pool,
        request,
        identity.email,
        request.body.password,
        'password',
      );
      await transaction(pool, async tx => {
        if (!(await takeUnconfirmed(tx, token))) throw stale();
        if (!(await linkIdentity(tx, user.id, identity)))
          throw linkedElsewhere(identity.email, name);
        await join(tx, user, identity);
      });
      return enter(request, reply, user);
    },
  );
};

/**
 * The user that an identity stands for; undefined where its account has a password, which must
 * confirm the first time: whoever made that account never proved the address. Throws
 * `not_permitted`.
 */
async function findOrMake(
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
        `${provider} does not vouch for an e-mail address of yours (email_verified), so it opens no account here.`,
      );
    const known = await findUserByEmail(tx, email);
    if (known && (await hasIdentityOf(tx, known.id, identity.issuer)))
      throw linkedElsewhere(email, provider);
    if (known?.passwordHash) return undefined;
    if (!known && (await listInvitationsOf(tx, email)).length === 0) {
      throw new Problem(
        'not_permitted',
        `Your account ${email} is not known here: ask an owner of your organization for an invitation.`,
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
    throw new Problem('conflict', 'This account was made just now in another window. Begin again.');
  });
}

/**
 * Accepts what invites the address that the provider vouches for: the link proves no more than
 * that.
 */
async function join(tx: Transaction, { id, email, name }: User, identity: Identity): Promise<User> {
  const invitations = identity.email === null ? [] : await listInvitationsOf(tx, identity.email);
  for (const invitation of invitations) {
    if (await acceptInvitation(tx, invitation.id))
      await addMember(tx, invitation.organizationId, id, invitation.role);
  }
  return { id, email, name };
}

function linkedElsewhere(email: string, provider: string): Problem {
  return new Problem(
    'not_permitted',
    `${email} is linked with another account of ${provider}. Sign in with the password and unlink it under Account; whoever runs Docent makes a link to a new password.`,
  );
}
