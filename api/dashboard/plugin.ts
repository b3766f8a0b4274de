import type { FastifyInstance } from 'fastify';
import { SESSION_DAYS } from '../../shared/db/people/lifetimes.ts';
import { deleteExpiredSignIns } from '../../shared/db/people/sessions.ts';
import { withoutKey } from '../plugins/auth.ts';
import { registerAccess } from './access.ts';
import { accountRoutes } from './people/account-routes.ts';
import { SecretCookie } from './people/secret-cookie.ts';
import type { DashboardDeps } from './deps.ts';
import { gitHubRoutes } from './github/connection-routes.ts';
import { jobRoutes } from './jobs/job-routes.ts';
import { keyRoutes } from './project/key-routes.ts';
import { organizationRoutes } from './people/organization-routes.ts';
import { playgroundRoutes } from './project/playground-routes.ts';
import { projectRoutes } from './project/project-routes.ts';
import { pullRequestRoutes } from './jobs/pull-request-routes.ts';
import { questionRoutes } from './project/question-routes.ts';
import { sessionRoutes } from './people/session-routes.ts';
import { openSignOn } from './people/sign-on-provider.ts';
import { usageRoutes } from './project/usage-routes.ts';

const CLEAN_UP_EVERY_MS = 60 * 60_000;

/**
 * The dashboard's backend. Its routes take a session where others take a key; they are in no public
 * document.
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  { prefix: _ours, ...deps }: DashboardDeps & { prefix: string },
): Promise<void> {
  const { pool, publicUrl } = deps;
  const cookie = new SecretCookie(publicUrl, 'docent', SESSION_DAYS * 86_400);
  withoutKey(app);
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true };
  });
  registerAccess(app, { pool, cookie, publicUrl });

  await app.register(sessionRoutes, {
    ...deps,
    cookie,
    signOn: openSignOn(deps.config, publicUrl),
  });
  for (const routes of [
    accountRoutes,
    organizationRoutes,
    projectRoutes,
    gitHubRoutes,
    keyRoutes,
    jobRoutes,
    pullRequestRoutes,
    questionRoutes,
    usageRoutes,
    playgroundRoutes,
  ])
    await app.register(routes, deps);

  const cleanUp = setInterval(() => {
    deleteExpiredSignIns(pool).catch((error: unknown) =>
      app.log.warn({ err: error }, 'ended sessions were not deleted'),
    );
  }, CLEAN_UP_EVERY_MS);
  cleanUp.unref();
  app.addHook('onClose', async () => clearInterval(cleanUp));
}
