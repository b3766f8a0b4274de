import fastify, { type FastifyInstance, LogController } from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { HostKind } from '../shared/host-kind.ts';
import { publicUrl, type Config } from '../shared/config.ts';
import { automationsTold } from '../db/automations/automations.ts';
import { requestWatch } from '../jobs/automations/start-run.ts';
import { listProjectsOn } from '../db/projects/projects.ts';
import { newId } from '../shared/ids.ts';
import { requestIndex } from '../search/indexing/index-requests.ts';
import type { JobsDeps } from '../jobs/deps.ts';
import { agentRoutes } from './agent/routes.ts';
import { agentV1Routes } from './agent-v1/routes.ts';
import { automationRoutes } from './automations/routes.ts';
import { startClosingGaps } from './assistant/again/close-gaps.ts';
import { registerCors } from './assistant/routes/cors.ts';
import { assistantRoutes } from './assistant/routes.ts';
import { openAssistant } from './assistant/deps.ts';
import { appFiles } from './dashboard/app-files.ts';
import { publicPages } from './dashboard/site/public-pages.ts';
import { dashboardRoutes } from './dashboard/plugin.ts';
import type { ApiDeps } from './deps.ts';
import { readerMcpRoutes } from './mcp/reader/routes.ts';
import { teamMcpRoutes } from './mcp/team/routes.ts';
import { pageFeedbackRoutes } from './readers/feedback-routes.ts';
import { readerRoutes } from './readers/routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/routes.ts';
import { webhookRoutes } from './webhook/routes.ts';
import { JobFeed } from '../jobs/watch/job-feed.ts';
import { gitHubSite } from '../hosts/github/site.ts';
import { StoredApp } from '../hosts/github/stored-app.ts';
import type { HostDeps } from '../hosts/host-deps.ts';
import { contextOf } from '../hosts/local/context.ts';
import { HOSTS } from '../hosts/registry.ts';
import { ChangedPages } from './local-host/changed-pages.ts';
import { localHost } from './local-host/plugin.ts';
import { registerAuth, withoutKey } from './plugins/auth.ts';
import { BODY_LIMITS, limitBodies } from './plugins/body-limits.ts';
import { closeConnectionsWithApp } from './plugins/closing-connections.ts';
import { deprecationHeaders } from './plugins/deprecation.ts';
import { registerHealth } from './plugins/health.ts';
import { acceptOnlyJson } from './plugins/json-bodies.ts';
import { refuseOtherHosts } from './plugins/own-host.ts';
import {
  answerBadPath,
  answerClientError,
  registerProblems,
  registerRequestIds,
} from './plugins/problems.ts';
import { Reader } from './reader/reader.ts';
import { registerOpenApi, registerReference } from './reference/openapi.ts';
import { logResponses } from './plugins/response-log.ts';
import { traceRequests } from './plugins/traces.ts';
import { refuseUnstorableAddresses, validatorCompiler } from './plugins/validation.ts';
import { startAutomationSweeper } from '../jobs/sweep/automations.ts';
import { startAskingForPreviews } from '../jobs/sweep/previews.ts';
import { startSweeper } from '../jobs/sweep/job-sweeper.ts';
import { startWebhookSender } from '../jobs/webhooks/sender.ts';

/**
 * The HTTP API, ready to listen or to inject into. It owns none of its dependencies: the caller
 * that opened them closes them, after the app.
 */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const app = newServer(deps);
  traceRequests(app);
  registerCors(app); // before anything can be refused: browsers hide refusals without its headers
  registerProblems(app);
  limitBodies(app);
  registerAuth(app, deps.pool);
  logResponses(app);
  closeConnectionsWithApp(app);
  await registerOpenApi(app, deps.config);
  registerHealth(app, deps);
  await registerRoutes(app, deps);
  const { webUrl } = gitHubSite(deps.config.GITHUB_API_URL);
  await app.register(appFiles, { formsTo: new URL(webUrl).origin });
  registerReference(app);
  return app;
}

function newServer({ config, logger }: ApiDeps): FastifyInstance {
  const deprecation = deprecationHeaders(config);
  const app = fastify({
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    trustProxy: trustedProxies(config),
    bodyLimit: BODY_LIMITS.usual,
    frameworkErrors: (error, request, reply) =>
      answerBadPath(error, request, reply.headers(deprecation(request.url))),
    // An id that is too long is as unknown as any other; the default answers 414 from 100
    // characters on.
    routerOptions: { maxParamLength: 8_192 },
    // Fastify has no time-outs by default: a slow client would keep its socket forever.
    requestTimeout: config.REQUEST_TIMEOUT_SECONDS * 1000,
    http: {
      headersTimeout: Math.min(10, config.REQUEST_TIMEOUT_SECONDS) * 1000,
      connectionsCheckingInterval: 2_000,
    },
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  // A scope that adds a schema of its own would get Fastify's default validator back.
  app.addHook('onRegister', scope => {
    scope.setValidatorCompiler(validatorCompiler);
  });
  acceptOnlyJson(app);
  refuseUnstorableAddresses(app);
  registerRequestIds(app);
  refuseOtherHosts(app, config);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(deprecation(request.url));
  });
  return app;
}

async function registerRoutes(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const { config, pool } = deps;
  const storedApp = new StoredApp(config, pool);
  const unfollow = await storedApp.follow(error =>
    app.log.warn({ err: error }, 'the stored GitHub App was not read'),
  );
  app.addHook('onClose', async () => unfollow());
  const feed = new JobFeed(pool, app.log);
  feed.open();
  app.addHook('preClose', async () => feed.close());
  const sweeper = startSweeper({ ...deps, log: app.log });
  app.addHook('onListen', async () => sweeper.run()); // what a crash left waits no 30 seconds
  app.addHook('onClose', () => sweeper.stop());
  const previews = startAskingForPreviews({ ...deps, log: app.log });
  app.addHook('onClose', () => previews.stop());
  const automations = startAutomationSweeper({ ...deps, log: app.log });
  app.addHook('onListen', async () => automations.run());
  app.addHook('onClose', () => automations.stop());
  const webhooks = startWebhookSender({ ...deps, log: app.log });
  app.addHook('onClose', () => webhooks.stop());
  await app.register(agentRoutes, { ...deps, feed });
  await app.register(agentV1Routes, { ...deps, feed });
  await app.register(automationRoutes, { ...deps, feed });
  await app.register(teamMcpRoutes, { ...deps, feed });
  await app.register(webhookEndpointRoutes, deps);
  await app.register(readerRoutes, deps);
  await app.register(pageFeedbackRoutes, deps);

  const assistant = await openAssistant(config, pool, app.log, deps.embed);
  app.addHook('onClose', () => assistant.close());
  const gaps = startClosingGaps({ ...deps, assistant, log: app.log });
  app.addHook('onListen', async () => gaps.run());
  app.addHook('onClose', () => gaps.stop());
  await app.register(assistantRoutes, assistant);
  await app.register(readerMcpRoutes, assistant);

  const reader = new Reader(config, pool);
  app.addHook('onClose', () => reader.close());

  const onBranchMoved = indexOnMove(app, deps);
  await registerLocalHost(app, { ...deps, onBranchMoved }, new ChangedPages(pool, reader));
  const shown = { ...deps, feed, assistant, reader, storedApp, onBranchMoved };
  const pages = { ...shown, publicUrl: publicUrl(config) };
  await app.register(dashboardRoutes, { prefix: '/api/dashboard', ...pages });
  await app.register(publicPages, pages);
  await registerWebhooks(app, { ...deps, feed });
}

/**
 * Indexes the sites that are built from a branch. What fails here the schedule makes good. A push
 * does not wait for it; closing does, since a call that is left behind would try again on a closed
 * connection and end the process.
 */
function indexOnMove(
  app: FastifyInstance,
  { config, pool, temporal }: ApiDeps,
): NonNullable<HostDeps['onBranchMoved']> {
  const asking = new Set<Promise<void>>();
  app.addHook('onClose', async () => {
    await Promise.all(asking);
  });
  const ask = async (kind: HostKind, repository: string, branch: string): Promise<void> => {
    try {
      for (const project of await listProjectsOn(pool, kind, repository, branch))
        await requestIndex(temporal, config.TASK_QUEUE, project);
      for (const automation of await automationsTold(
        pool,
        kind,
        [repository.toLowerCase()],
        branch,
      ))
        await requestWatch(temporal, config.TASK_QUEUE, automation);
    } catch (error) {
      app.log.warn(
        { err: error, repository, branch },
        'the index was not asked to follow a branch',
      );
    }
  };
  return async (...moved) => {
    const asked = ask(...moved);
    asking.add(asked);
    await asked;
    asking.delete(asked);
  };
}

/**
 * The built-in repository host, if its token is configured: in the one process that owns the data
 * folder.
 */
async function registerLocalHost(
  app: FastifyInstance,
  deps: HostDeps,
  pages: ChangedPages,
): Promise<void> {
  const { LOCAL_HOST_TOKEN: token } = deps.config;
  if (!token) return;
  await app.register(async scope => {
    withoutKey(scope);
    await scope.register(localHost, { ...contextOf(deps), token, pages });
  });
}

/** A host's deliveries are accepted while the secret that signs them is set. */
async function registerWebhooks(app: FastifyInstance, deps: JobsDeps): Promise<void> {
  for (const { kind: host, webhook } of HOSTS) {
    if (webhook) await app.register(webhookRoutes, { ...deps, host, webhook });
  }
}

/** The proxies of the setting TRUSTED_PROXIES, for Fastify's `trustProxy`. */
function trustedProxies(config: Config): string[] | false {
  const ranges = config.TRUSTED_PROXIES.split(',')
    .map(range => range.trim())
    .filter(Boolean);
  return ranges.length > 0 && ranges;
}
