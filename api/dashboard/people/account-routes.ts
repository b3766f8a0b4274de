import type { Account } from '../contract/people.ts';
import { recordAuditOfUser } from '../../../db/audit/audit-log.ts';
import { type Pool, transaction } from '../../../db/pool.ts';
import {
  deleteSession,
  deleteSessions,
  listSessions,
  type SessionRow,
} from '../../../db/people/sessions.ts';
import { findSignInWays, unlinkIdentities } from '../../../db/people/sign-on.ts';
import { renameUser, setPasswordHash } from '../../../db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';
import { actorOf } from '../../audit.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';
import { hashPassword } from './password.ts';
import { signedInSession } from './session.ts';
import { confirmPassword } from './sign-in-limit.ts';

/** One's own account: name, password, sessions. */
export function accountRoutes(deps: DashboardDeps) {
  const { pool } = deps;
  return {
    'GET /sessions': async ({ signedIn }) => ({
      sessions: (await listSessions(pool, signedIn.user.id)).map(row => view(row, signedIn.id)),
    }),

    'DELETE /sessions/:id': async ({ signedIn, params }) => {
      if (!(await deleteSession(pool, signedIn.user.id, params.id)))
        throw new Problem('not_found', 'There is no such session.');
    },

    'GET /account': ({ signedIn }) => account(pool, signedIn.user.id),

    'DELETE /account/sign-on': async request => {
      const { id } = request.signedIn.user;
      const unlinked = await transaction(pool, async tx => {
        if (!(await unlinkIdentities(tx, id))) return false;
        await recordAuditOfUser(tx, id, { action: 'sign_on.unlinked', actor: actorOf(request) });
        return true;
      });
      if (unlinked) return account(pool, id);
      throw new Problem(
        'conflict',
        'Set a password first, or you could not sign in again: ' +
          'ask the operator for a one-time link to set one.',
      );
    },

    'PATCH /profile': async ({ signedIn, body }) => {
      const name = body.name.trim();
      await renameUser(pool, signedIn.user.id, name);
      return signedInSession(deps, { ...signedIn, user: { ...signedIn.user, name } });
    },

    'POST /password': async request => {
      const { user, id: sessionId } = request.signedIn;
      await confirmPassword(pool, request, user.email, request.body.current, 'current');
      const passwordHash = await hashPassword(request.body.next);
      await transaction(pool, async tx => {
        await setPasswordHash(tx, user.id, passwordHash);
        await deleteSessions(tx, user.id, sessionId);
        await recordAuditOfUser(tx, user.id, {
          action: 'password.changed',
          actor: actorOf(request),
        });
      });
    },
  } satisfies Partial<Handlers>;
}

function view({ createdAt, lastUsedAt, expiresAt, ...rest }: SessionRow, currentId: string) {
  return {
    ...rest,
    current: rest.id === currentId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

async function account(pool: Pool, userId: string): Promise<Account> {
  const { hasPassword, linkedAt } = await findSignInWays(pool, userId);
  return { hasPassword, linkedAt: linkedAt?.toISOString() ?? null };
}
