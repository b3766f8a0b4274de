import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originAllowed } from '../../../shared/allowed-origins.ts';
import { PATHS } from './paths.ts';

const PREFIX = '/discovery/';
const EXPOSED = 'X-Thread-Id, X-Request-Id, X-Pages-Read, RateLimit, RateLimit-Policy, Retry-After';
// Some releases of the chat SDK set User-Agent, and Firefox then asks for it.
const HEADERS = ['Authorization', 'Content-Type', 'User-Agent'];
const MAX_ASKED = 40;
const HEADER_NAME = /^[a-z\d-]{1,64}$/;

/**
 * Cross-origin access to the assistant's endpoints, errors included; the agent's get none, because
 * their key is a secret. A preflight carries no key, so any origin gets an answer; the request that
 * follows is checked against the key's list. Must be registered before the keys are checked.
 */
export function registerCors(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith(PREFIX)) {
      reply.headers({
        'access-control-allow-origin': '*',
        'access-control-expose-headers': EXPOSED,
      });
    }
  });
  app.addHook('onSend', async (request, reply) => {
    // Read as absent: requests that failed before the key was checked have none.
    const allowed = (request.apiKey as typeof request.apiKey | undefined)?.allowedOrigins ?? [];
    if (allowed.length === 0 || !request.url.startsWith(PREFIX)) return;
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin !== undefined && originAllowed(allowed, origin))
      reply.header('access-control-allow-origin', origin);
    else reply.removeHeader('access-control-allow-origin');
  });
}

/** Answers the preflights of the assistant's paths. */
export function registerPreflights(app: FastifyInstance): void {
  for (const path of Object.values(PATHS)) {
    app.options(
      path,
      { config: { access: 'public' }, schema: { hide: true } },
      async (request, reply) => {
        await reply
          .code(204)
          .headers({
            'access-control-allow-methods': path.includes('/assistant/') ? 'GET, POST' : 'POST',
            'access-control-allow-headers': allowedHeaders(request).join(', '),
            'access-control-max-age': '600',
            vary: 'Access-Control-Request-Headers',
          })
          .send();
      },
    );
  }
}

/**
 * Whatever the page's own monitoring adds to its requests (`traceparent`, `baggage`, `sentry-trace`
 * …) is allowed: a request carries no credentials that a header could misuse, and is ignored here.
 */
function allowedHeaders({ headers }: FastifyRequest): string[] {
  const known = HEADERS.map(name => name.toLowerCase());
  const asked = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map(name => name.trim().toLowerCase())
    .filter(name => HEADER_NAME.test(name) && !known.includes(name));
  return [...HEADERS, ...new Set(asked.slice(0, MAX_ASKED))];
}
