import type { FastifyRequest } from 'fastify';
import type { AcceptInvitation } from '../contract/people.ts';
import { recordAudit, recordAuditOfUser } from '../../../db/audit/audit-log.ts';
import {
  acceptInvitation,
  findInvitation,
  type Invitation,
  isResetLink,
  takeResetLink,
} from '../../../db/people/invitations.ts';
import { deleteSessions } from '../../../db/people/sessions.ts';
import { clearSignInAttempts } from '../../../db/people/sign-in-limit.ts';
import {
  addMember,
  createUser,
  findUser,
  findUserByEmail,
  setPasswordHash,
  type User,
} from '../../../db/people/users.ts';
import { type Pool, type Transaction, transaction } from '../../../db/pool.ts';
import { fieldProblem, Problem } from '../../../shared/errors.ts';
import { personOf } from '../../audit.ts';
import type { Handlers } from '../handlers.ts';
import { hashPassword } from './password.ts';
import { beginSession, type SignInDeps } from './session.ts';
import { addressScope } from '../../plugins/client-address.ts';
import { checkPassword } from './sign-in-limit.ts';

const MIN_PASSWORD = 10;

/** The links that lead in without a session: an invitation, the first run's, a new password. */
export function oneTimeLinkRoutes(deps: SignInDeps) {
  const { pool } = deps;
  return {
    'POST /invitation': async ({ body }) => {
      const invitation = await requireInvitation(pool, body.token);
      const { organization, email, role, account, expiresAt } = invitation;
      return { organization, email, role, account, expiresAt: expiresAt.toISOString() };
    },

    'POST /invitation/accept': async (request, reply) =>
      beginSession(deps, request, reply, await accept(pool, request, request.body), 'invitation'),

    'POST /reset': async (request, reply) => {
      const user = await resetPassword(pool, request, request.body);
      await clearSignInAttempts(pool, addressScope(request.ip), user.email);
      return beginSession(deps, request, reply, user, 'reset link');
    },
  } satisfies Partial<Handlers>;
}

async function accept(pool: Pool, request: FastifyRequest, body: AcceptInvitation): Promise<User> {
  const { token, password, name } = body;
  const invitation = await requireInvitation(pool, token);
  const email = invitation.email ?? body.email;
  if (email === undefined) throw fieldProblem('email', 'is required: this link names nobody');
  const known = await findUserByEmail(pool, email);
  return known
    ? joinAs(pool, request, invitation, await checkPassword(pool, request, email, password))
    : joinWithNewAccount(pool, request, invitation, { email, name, password });
}

async function resetPassword(
  pool: Pool,
  request: FastifyRequest,
  { token, password }: { token: string; password: string },
): Promise<User> {
  // The link first: a slow hash must not be had for the asking.
  if (!(await isResetLink(pool, token))) throw unknownLink();
  const passwordHash = await hashPassword(password);
  return transaction(pool, async tx => {
    const userId = await takeResetLink(tx, token);
    if (userId === undefined) throw unknownLink();
    await setPasswordHash(tx, userId, passwordHash);
    await deleteSessions(tx, userId, null);
    const user = await findUser(tx, userId);
    await recordAuditOfUser(tx, userId, {
      action: 'password.reset',
      actor: personOf(request, user),
    });
    return user;
  });
}

async function requireInvitation(pool: Pool, token: string) {
  const invitation = await findInvitation(pool, token);
  if (!invitation) throw unknownLink();
  return invitation;
}

async function joinAs(
  pool: Pool,
  request: FastifyRequest,
  invitation: Invitation,
  user: User,
): Promise<User> {
  await transaction(pool, async tx => {
    if (!(await acceptInvitation(tx, invitation.id))) throw unknownLink();
    await enter(tx, request, invitation, user);
  });
  return user;
}

async function enter(
  tx: Transaction,
  request: FastifyRequest,
  { organizationId, role }: Invitation,
  user: User,
): Promise<void> {
  await addMember(tx, organizationId, user.id, role);
  await recordAudit(tx, organizationId, {
    action: 'member.joined',
    actor: personOf(request, user),
    details: { role },
  });
}

async function joinWithNewAccount(
  pool: Pool,
  request: FastifyRequest,
  invitation: Invitation,
  account: { email: string; name: string | undefined; password: string },
): Promise<User> {
  const { email, name, password } = account;
  if (name === undefined) throw fieldProblem('name', 'is required');
  if (password.length < MIN_PASSWORD)
    throw fieldProblem('password', `must have at least ${MIN_PASSWORD} characters`);
  const passwordHash = await hashPassword(password);
  return transaction(pool, async tx => {
    if (!(await acceptInvitation(tx, invitation.id))) throw unknownLink();
    const user = await createUser(tx, { email, name: name.trim(), passwordHash });
    await enter(tx, request, invitation, user);
    return user;
  }).catch((error: { code?: unknown }) => {
    if (error.code !== '23505') throw error; // another invitation of the same address was quicker
    throw new Problem(
      'conflict',
      `${email} now has an account: open the link again and enter its password.`,
    );
  });
}

function unknownLink(): Problem {
  return new Problem('not_found', 'This link was already used or has expired. Ask for a new one.');
}
