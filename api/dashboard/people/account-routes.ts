import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import {
  Account,
  ChangePassword,
  ProfileChange,
  Session,
  SessionList,
} from '../../../shared/dashboard/people.ts';
import { Id } from '../../../shared/dashboard/common.ts';
import { type Pool, transaction } from '../../../shared/db/pool.ts';
import { deleteSession, deleteSessions, listSessions } from '../../../shared/db/people/sessions.ts';
import { findSignInWays, unlinkIdentities } from '../../../shared/db/people/sign-on.ts';
import { renameUser, setPasswordHash } from '../../../shared/db/people/users.ts';
import { Problem } from '../../../shared/errors.ts';
import { confirmPassword } from './sign-in-limit.ts';
import type { DashboardDeps } from '../deps.ts';
import { hashPassword } from './password.ts';
import { sessionBody } from './session-routes.ts';

const config = { role: 'self' } as const;

/** One's own account: name, password, sessions. */
export const accountRoutes: FastifyPluginAsyncTypebox<DashboardDeps> = async (app, deps) => {
  const { pool } = deps;

  app.get(
    '/sessions',
    { config, schema: { response: { 200: SessionList } } },
    async ({ signedIn }) => ({
      sessions: (await listSessions(pool, signedIn.user.id)).map(
        ({ createdAt, lastUsedAt, expiresAt, ...rest }) => ({
          ...rest,
          current: rest.id === signedIn.id,
          createdAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        }),
      ),
    }),
  );

  app.delete(
    '/sessions/:id',
    { config, schema: { params: Type.Object({ id: Id }) } },
    async (request, reply) => {
      if (!(await deleteSession(pool, request.signedIn.user.id, request.params.id)))
        throw new Problem('not_found', 'There is no such session.');
      return reply.code(204).send();
    },
  );

  app.get('/account', { config, schema: { response: { 200: Account } } }, ({ signedIn }) =>
    account(pool, signedIn.user.id),
  );

  app.delete(
    '/account/sign-on',
    { config, schema: { response: { 200: Account } } },
    async ({ signedIn }) => {
      if (!(await unlinkIdentities(pool, signedIn.user.id))) {
        throw new Problem(
          'conflict',
          'Without a password there would be no way back in: whoever runs Docent makes a one-time link to one.',
        );
      }
      return account(pool, signedIn.user.id);
    },
  );

  app.patch(
    '/profile',
    { config, schema: { body: ProfileChange, response: { 200: Session } } },
    async ({ signedIn, body }) => {
      const name = body.name.trim();
      await renameUser(pool, signedIn.user.id, name);
      return sessionBody(deps, { ...signedIn, user: { ...signedIn.user, name } });
    },
  );

  app.post('/password', { config, schema: { body: ChangePassword } }, async (request, reply) => {
    const { user, id: sessionId } = request.signedIn;
    await confirmPassword(pool, request, user.email, request.body.current, 'current');
    const passwordHash = await hashPassword(request.body.next);
    await transaction(pool, async tx => {
      await setPasswordHash(tx, user.id, passwordHash);
      await deleteSessions(tx, user.id, sessionId);
    });
    return reply.code(204).send();
  });
};

async function account(pool: Pool, userId: string): Promise<Account> {
  const { hasPassword, linkedAt } = await findSignInWays(pool, userId);
  return { hasPassword, linkedAt: linkedAt?.toISOString() ?? null };
}
