import cookies from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { automationRoutes } from './automations/automation-routes.ts';
import { withoutKey } from '../plugins/auth.ts';
import { registerAccess } from './access.ts';
import type { DashboardDeps } from './deps.ts';
import { connectionRoutes } from './github/connection-routes.ts';
import { gitHubRepositoryRoutes } from './github/repository-routes.ts';
import { installationRoutes } from './github/installation-routes.ts';
import { findRoutes } from './find/find-routes.ts';
import { ReachableRepositories } from '../../hosts/github/reachable-repositories.ts';
import { type Handlers, registerRoutes } from './handlers.ts';
import { jobRoutes } from './jobs/job-routes.ts';
import { waitingRoutes } from './jobs/waiting-routes.ts';
import { pullRequestRoutes } from './jobs/pull-request-routes.ts';
import { reviewCommentRoutes } from './jobs/review-comment-routes.ts';
import { auditRoutes } from './people/audit-routes.ts';
import { overviewRoutes } from './overview/overview-routes.ts';
import { accountRoutes } from './people/account-routes.ts';
import { oneTimeLinkRoutes } from './people/one-time-link-routes.ts';
import { organizationRoutes } from './people/organization-routes.ts';
import { sessionCookie } from './people/secret-cookie.ts';
import { sessionRoutes } from './people/session-routes.ts';
import { openSignOn } from './people/sign-on-provider.ts';
import { signOnRoutes } from './people/sign-on-routes.ts';
import { tenantRoutes } from './people/tenant-routes.ts';
import { indexRoutes } from './project/index-routes.ts';
import { keyRoutes } from './project/key-routes.ts';
import { playgroundRoutes } from './project/playground-routes.ts';
import { projectRoutes } from './project/project-routes.ts';
import { conventionRoutes } from './project/convention-routes.ts';
import { feedbackRoutes } from './project/feedback-routes.ts';
import { questionRoutes } from './project/question-routes.ts';
import { usageRoutes } from './project/usage-routes.ts';
import { siteRoutes } from './site/site-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

/**
 * The dashboard's backend. Its routes need a session instead of a key, and are not in the public
 * API document.
 */
export async function dashboardRoutes(
  app: FastifyInstance,
  { prefix: _ours, ...deps }: DashboardDeps & { prefix: string },
): Promise<void> {
  const { pool, publicUrl } = deps;
  const cookie = sessionCookie(publicUrl);
  withoutKey(app);
  await app.register(cookies);
  app.addHook('onRoute', route => {
    route.schema = { ...route.schema, hide: true };
  });
  registerAccess(app, { pool, cookie, publicUrl });

  const signIn = { ...deps, cookie, signOn: openSignOn(deps.config, publicUrl) };
  const gitHub = { ...deps, reachable: new ReachableRepositories(deps) };
  registerRoutes(app, {
    ...sessionRoutes(signIn),
    ...signOnRoutes(signIn),
    ...oneTimeLinkRoutes(signIn),
    ...accountRoutes(deps),
    ...organizationRoutes(deps),
    ...tenantRoutes(deps),
    ...auditRoutes(deps),
    ...connectionRoutes(gitHub),
    ...installationRoutes(gitHub),
    ...gitHubRepositoryRoutes(gitHub),
    ...projectRoutes(deps),
    ...overviewRoutes(deps),
    ...indexRoutes(deps),
    ...keyRoutes(deps),
    ...usageRoutes(deps),
    ...automationRoutes(deps),
    ...conventionRoutes(deps),
    ...feedbackRoutes(deps),
    ...questionRoutes(deps),
    ...playgroundRoutes(deps),
    ...findRoutes(deps),
    ...jobRoutes(deps),
    ...waitingRoutes(deps),
    ...pullRequestRoutes(deps),
    ...reviewCommentRoutes(deps),
    ...siteRoutes(deps),
    ...webhookRoutes(deps),
  } satisfies Handlers);
}
