import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  AcceptInvitation,
  InvitationView,
  LinkToken,
  ResetPassword,
  Session,
  SetupStatus,
  SignIn,
} from '../../../shared/dashboard/people.ts';
import {
  acceptInvitation,
  findInvitation,
  type Invitation,
  isResetLink,
  takeResetLink,
} from '../../../shared/db/people/invitations.ts';
import { type Pool, transaction } from '../../../shared/db/pool.ts';
import {
  createSession,
  deleteSession,
  deleteSessionOf,
  deleteSessions,
  type SignedIn,
} from '../../../shared/db/people/sessions.ts';
import { clearSignInAttempts } from '../../../shared/db/people/sign-in-limit.ts';
import {
  addMember,
  createUser,
  findUser,
  findUserByEmail,
  hasUsers,
  listUserOrganizations,
  setPasswordHash,
  type User,
} from '../../../shared/db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';
import { isOffline } from '../../../shared/models/model-ids.ts';
import { plainAddress } from '../../plugins/client-address.ts';
import { checkPassword } from './sign-in-limit.ts';
import type { SecretCookie } from './secret-cookie.ts';
import type { DashboardDeps } from '../deps.ts';
import { hashPassword } from './password.ts';
import type { SignOn } from './sign-on-provider.ts';
import { signOnRoutes } from './sign-on-routes.ts';

const MIN_PASSWORD = 10;
const anybody = { role: 'anybody' } as const;
const self = { role: 'self' } as const;

/** Signing in and out, and the links that lead in for the first time. */
export const sessionRoutes: FastifyPluginAsyncTypebox<
  DashboardDeps & { cookie: SecretCookie; signOn: SignOn | undefined }
> = async (app, { cookie, signOn, ...deps }) => {
  const { pool } = deps;
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
  ): Promise<Session> => {
    const earlier = cookie.read(request);
    const session = await createSession(pool, {
      userId: user.id,
      address: plainAddress(request.ip),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    });
    if (earlier !== undefined) await deleteSessionOf(pool, earlier);
    cookie.set(reply, session.token);
    return sessionBody(deps, { id: session.id, user });
  };

  app.get('/setup', { config: anybody, schema: { response: { 200: SetupStatus } } }, async () => ({
    needed: !(await hasUsers(pool)),
    provider: signOn?.name ?? null,
  }));

  await app.register(signOnRoutes, { ...deps, signOn, enter });

  app.post(
    '/session',
    { config: anybody, schema: { body: SignIn, response: { 200: Session } } },
    async (request, reply) =>
      enter(
        request,
        reply,
        await checkPassword(pool, request, request.body.email, request.body.password),
      ),
  );

  app.get('/session', { config: self, schema: { response: { 200: Session } } }, async request =>
    sessionBody(deps, request.signedIn),
  );

  app.delete('/session', { config: self }, async (request, reply) => {
    await deleteSession(pool, request.signedIn.user.id, request.signedIn.id);
    cookie.clear(reply);
    return reply.code(204).send();
  });

  app.post(
    '/invitation',
    { config: anybody, schema: { body: LinkToken, response: { 200: InvitationView } } },
    async request => {
      const { organization, email, role, account, expiresAt } = await requireInvitation(
        pool,
        request.body.token,
      );
      return { organization, email, role, account, expiresAt: expiresAt.toISOString() };
    },
  );

  app.post(
    '/invitation/accept',
    { config: anybody, schema: { body: AcceptInvitation, response: { 200: Session } } },
    async (request, reply) => {
      const { token, password, name } = request.body;
      const invitation = await requireInvitation(pool, token);
      const email = invitation.email ?? request.body.email;
      if (email === undefined) throw missing('email', 'is required: this link names nobody');
      const known = await findUserByEmail(pool, email);
      const user = known
        ? await joinAs(pool, invitation, await checkPassword(pool, request, email, password))
        : await joinAnew(pool, invitation, { email, name, password });
      return enter(request, reply, user);
    },
  );

  app.post(
    '/reset',
    { config: anybody, schema: { body: ResetPassword, response: { 200: Session } } },
    async (request, reply) => {
      // Looked at first: a slow hash must not be had for the asking.
      if (!(await isResetLink(pool, request.body.token))) throw unknownLink();
      const passwordHash = await hashPassword(request.body.password);
      const user = await transaction(pool, async tx => {
        const userId = await takeResetLink(tx, request.body.token);
        if (userId === undefined) throw unknownLink();
        await setPasswordHash(tx, userId, passwordHash);
        await deleteSessions(tx, userId, null);
        return findUser(tx, userId);
      });
      await clearSignInAttempts(pool, user.email);
      return enter(request, reply, user);
    },
  );
};

/** What the browser app knows of whoever is signed in. */
export async function sessionBody(
  deps: Pick<DashboardDeps, 'pool' | 'config' | 'publicUrl'>,
  { id, user }: SignedIn,
): Promise<Session> {
  const { config } = deps;
  const operator = {
    temporalAddress: config.TEMPORAL_ADDRESS ?? null,
    temporalUiUrl: config.TEMPORAL_UI_URL ?? null,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TASK_QUEUE,
  };
  const organizations = await listUserOrganizations(deps.pool, user.id);
  return {
    id,
    user,
    baseUrl: deps.publicUrl,
    offlineModel: isOffline(config),
    organizations: organizations.map(each => ({
      ...each,
      operator: each.role === 'owner' ? operator : null,
    })),
  };
}

async function requireInvitation(pool: Pool, token: string) {
  const invitation = await findInvitation(pool, token);
  if (!invitation) throw unknownLink();
  return invitation;
}

async function joinAs(pool: Pool, invitation: Invitation, user: User): Promise<User> {
  await transaction(pool, async tx => {
    if (!(await acceptInvitation(tx, invitation.id))) throw unknownLink();
    await addMember(tx, invitation.organizationId, user.id, invitation.role);
  });
  return user;
}

async function joinAnew(
  pool: Pool,
  invitation: Invitation,
  account: { email: string; name: string | undefined; password: string },
): Promise<User> {
  const { email, name, password } = account;
  if (name === undefined) throw missing('name', 'is required');
  if (password.length < MIN_PASSWORD)
    throw missing('password', `must have at least ${MIN_PASSWORD} characters`);
  const passwordHash = await hashPassword(password);
  return transaction(pool, async tx => {
    if (!(await acceptInvitation(tx, invitation.id))) throw unknownLink();
    const user = await createUser(tx, { email, name: name.trim(), passwordHash });
    await addMember(tx, invitation.organizationId, user.id, invitation.role);
    return user;
  }).catch((error: { code?: unknown }) => {
    if (error.code !== '23505') throw error; // another invitation of the same address was quicker
    throw new Problem(
      'conflict',
      `${email} has an account by now: open the link again and give its password.`,
    );
  });
}

function missing(path: string, message: string): Problem {
  return new Problem('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] });
}

function unknownLink(): Problem {
  return new Problem(
    'not_found',
    'This link is not valid: it was used already, or has run out. Ask for a new one.',
  );
}
