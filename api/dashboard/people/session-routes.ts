import { deleteSession } from '../../../db/people/sessions.ts';
import { hasUsers } from '../../../db/people/users.ts';
import type { Handlers } from '../handlers.ts';
import { beginSession, signedInSession, type SignInDeps } from './session.ts';
import { checkPassword } from './sign-in-limit.ts';

/** Signing in and out. */
export function sessionRoutes(deps: SignInDeps) {
  const { pool, cookie, signOn } = deps;
  return {
    'GET /setup': async () => ({
      needed: !(await hasUsers(pool)),
      provider: signOn?.name ?? null,
    }),

    'POST /session': async (request, reply) => {
      const { email, password } = request.body;
      return beginSession(
        deps,
        request,
        reply,
        await checkPassword(pool, request, email, password),
        'password',
      );
    },

    'GET /session': ({ signedIn }) => signedInSession(deps, signedIn),

    'DELETE /session': async ({ signedIn }, reply) => {
      await deleteSession(pool, signedIn.user.id, signedIn.id);
      cookie.clear(reply);
    },
  } satisfies Partial<Handlers>;
}
