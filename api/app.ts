import { isIP, Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import { type Config, publicUrl } from '../shared/config.ts';
import { listProjectsOn } from '../shared/db/projects/projects.ts';
import { ConfigError } from '../shared/errors.ts';
import { newId } from '../shared/ids.ts';
import { requestIndex } from '../shared/search/index-requests.ts';
import type { AgentDeps } from './agent/deps.ts';
import { agentRoutes } from './agent/routes.ts';
import { agentV1Routes } from './agent-v1/routes.ts';
import { registerCors } from './assistant/routes/cors.ts';
import { assistantRoutes } from './assistant/routes/message-routes.ts';
import { openAssistant } from './assistant/deps.ts';
import { appFiles } from './dashboard/app-files.ts';
import { dashboardRoutes } from './dashboard/plugin.ts';
import type { ApiDeps } from './deps.ts';
import { webhookRoutes } from './webhook/routes.ts';
import { JobFeed } from './agent/stream/job-feed.ts';
import type { HostDeps } from '../hosts/host-deps.ts';
import { contextOf } from '../hosts/local/context.ts';
import { HOSTS } from '../hosts/registry.ts';
import { localHost } from './local-host/plugin.ts';
import { registerAuth, withoutKey } from './plugins/auth.ts';
import { deprecationHeaders } from './plugins/deprecation.ts';
import { registerHealth } from './plugins/health.ts';
import {
  answerBadPath,
  answerClientError,
  registerProblems,
  registerRequestIds,
} from './plugins/problems.ts';
import { registerOpenApi, registerReference } from './plugins/reference.ts';
import { validatorCompiler } from './plugins/validation.ts';
import { startSweeper } from './background/job-sweeper.ts';

const BODY_LIMIT = 1024 * 1024;

/**
 * The HTTP API, ready to listen or to inject into. It owns none of its dependencies: whoever opened
 * them closes them, after the app.
 */
export async function buildApi(deps: ApiDeps): Promise<FastifyInstance> {
  const { config } = deps;
  const deprecation = deprecationHeaders(config);
  const app = fastify({
    ...(deps.logger && { loggerInstance: deps.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId('req'),
    requestIdHeader: false,
    trustProxy: trustedProxies(config),
    bodyLimit: BODY_LIMIT,
    frameworkErrors: (error, request, reply) =>
      answerBadPath(error, request, reply.headers(deprecation(request.url))),
    // What is too long for an id is as unknown as any other; the default answers 414 from 100
    // characters on.
    routerOptions: { maxParamLength: 8_192 },
    // Fastify's own defaults are none at all: a slow client would hold its socket for ever.
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
  readJsonOnly(app);
  registerRequestIds(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(deprecation(request.url));
  });
  registerCors(app); // before anything can be refused: browsers hide refusals without its headers
  registerProblems(app);
  registerAuth(app, deps.pool);
  logResponses(app);
  endConnections(app);
  await registerOpenApi(app, config.PUBLIC_URL);
  registerHealth(app, deps);
  const feed = new JobFeed(deps.pool, app.log);
  feed.open();
  const sweeper = startSweeper({ ...deps, log: app.log });
  app.addHook('preClose', async () => feed.close());
  app.addHook('onClose', () => sweeper.stop());
  await app.register(agentRoutes, { ...deps, feed });
  await app.register(agentV1Routes, { ...deps, feed });
  const assistant = openAssistant(config, deps.pool, app.log, deps.embed);
  app.addHook('onClose', () => assistant.close());
  await app.register(assistantRoutes, assistant);
  const onBranchMoved = indexOnMove(app, deps);
  await registerLocalHost(app, { ...deps, onBranchMoved });
  await app.register(dashboardRoutes, {
    prefix: '/api/dashboard',
    ...deps,
    feed,
    assistant,
    onBranchMoved,
    publicUrl: publicUrl(config),
  });
  await registerWebhooks(app, { ...deps, feed });
  await app.register(appFiles, {});
  await registerReference(app);
  return app;
}

/** Indexes the sites that are built from a branch. What fails here the schedule makes good. */
function indexOnMove(
  app: FastifyInstance,
  { config, pool, temporal }: ApiDeps,
): NonNullable<HostDeps['onBranchMoved']> {
  return async (kind, repository, branch) => {
    try {
      for (const project of await listProjectsOn(pool, kind, repository, branch))
        await requestIndex(temporal, config.TASK_QUEUE, project);
    } catch (error) {
      app.log.warn(
        { err: error, repository, branch },
        'the index was not asked to follow a branch',
      );
    }
  };
}

/**
 * The built-in repository host, if its token is configured: in the one process that owns the data
 * folder.
 */
async function registerLocalHost(app: FastifyInstance, deps: HostDeps): Promise<void> {
  const { LOCAL_HOST_TOKEN: token } = deps.config;
  if (!token) return;
  await app.register(async scope => {
    withoutKey(scope);
    await scope.register(localHost, { ...contextOf(deps), token });
  });
}

/** A host's deliveries are accepted if the secret that signs them is set. */
async function registerWebhooks(app: FastifyInstance, deps: AgentDeps): Promise<void> {
  for (const { kind: host, webhook } of HOSTS) {
    const secret = webhook?.secret(deps.config);
    if (webhook && secret)
      await app.register(webhookRoutes, {
        ...deps,
        host,
        webhook,
        secret,
        questions: webhook.open(deps),
      });
  }
}

function trustedProxies(config: Config): string[] | false {
  const ranges = config.TRUSTED_PROXIES.split(',')
    .map(range => range.trim())
    .filter(Boolean);
  for (const range of ranges) {
    const [address = '', prefix = '0', ...rest] = range.split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
    if (rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) {
      throw new ConfigError(
        `TRUSTED_PROXIES takes addresses or ranges such as 10.0.0.0/8, separated by commas; got "${range}".`,
      );
    }
  }
  return ranges.length > 0 && ranges;
}

/**
 * Bodies are JSON; an empty one is none at all (many clients name the type of a body that they do
 * not send).
 */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body as string, done);
  });
}

/** One line a response. It names the route's pattern, never the URL, which may hold a token. */
function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        key: (request.apiKey as { id: string } | undefined)?.id,
        user: (request.signedIn as { user: { id: string } } | undefined)?.user.id,
      },
      'response',
    );
  });
}

/**
 * While the app closes, connections without a request end at once, and the others with the answer
 * that they carry. Node would wait for those that never sent a request (browsers open some ahead),
 * and a minute for those kept alive.
 */
function endConnections(app: FastifyInstance): void {
  const idle = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  app.addHook('onRequest', async request => {
    idle.delete(request.raw.socket);
  });
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    if (closing) socket.end();
    else if (socket instanceof Socket && !socket.destroyed) idle.add(socket); // injected requests have none
  });
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of idle) socket.destroy();
  });
}
