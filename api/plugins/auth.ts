import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { inTurn, share } from '../../db/pool-share.ts';
import { type ApiKey, findKey, touchKey } from '../../db/projects/keys.ts';
import type { Pool, Queryable } from '../../db/pool.ts';
import { originAllowed } from '../../shared/allowed-origins.ts';
import { Problem } from '../../shared/errors.ts';
import { type KeyKind, hashKey } from '../../shared/secrets/api-keys.ts';
import { plainAddress } from './client-address.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Who may call the route. `reader`: an assistant key, or none: then the route itself decides. A
     * route without it stops the start.
     */
    access?: KeyKind | 'public' | 'reader';
  }
  interface FastifyRequest {
    /** The caller's key; on public routes there is none. */
    apiKey: ApiKey;
  }
}

const TOUCH_INTERVAL_MS = 60_000;

/**
 * Checks the key of every route that needs one, before the body is read. A route that does not
 * declare its `access` stops the start.
 */
export function registerAuth(app: FastifyInstance, pool: Pool): void {
  app.decorateRequest('apiKey');
  const db = inTurn(pool, share(pool, 1 / 4));

  const routes: RouteOptions[] = [];
  app.addHook('onRoute', route => {
    routes.push(route);
  });
  app.addHook('onReady', async () => {
    const silent = routes.find(route => !route.config?.access);
    if (silent)
      throw new Error(`route ${String(silent.method)} ${silent.url} does not say who may call it`);
  });

  app.addHook('onRequest', async request => {
    const { access } = request.routeOptions.config;
    if (request.is404 || access === 'public') return;
    if (access === 'reader' && request.headers.authorization === undefined) return;
    const key = await authenticate(db, request);
    if (key.kind !== (access === 'reader' ? 'assistant' : access)) {
      throw new Problem(
        'forbidden',
        access === 'admin'
          ? 'This endpoint requires an admin API key; the one given is an assistant key.'
          : 'This endpoint requires an assistant API key; ' +
              'the one given is an admin key, a secret that belongs on a server.',
      );
    }
    // Before its origins are checked: CORS headers follow the key's list on the refusal too.
    request.apiKey = key;
    if (!originAllowed(key.allowedOrigins, request.headers.origin))
      throw new Problem('forbidden', 'This API key may not be used from this origin.');
  });

  const touched = new Map<string, number>();
  app.addHook('onResponse', async request => {
    const key = request.apiKey as ApiKey | undefined;
    if (
      !key ||
      Date.now() - Math.max(key.lastUsedAt?.getTime() ?? 0, touched.get(key.id) ?? 0) <
        TOUCH_INTERVAL_MS
    )
      return;
    touched.set(key.id, Date.now()); // a crowd with one key notes it once
    await touchKey(db, key.id).catch((error: unknown) =>
      request.log.warn({ err: error }, 'the last use of a key was not noted'),
    );
  });
}

/** Opens a scope's routes to callers without an API key; they may have another credential. */
export function withoutKey(scope: FastifyInstance): void {
  scope.addHook('onRoute', route => {
    route.config = { ...route.config, access: 'public' };
  });
}

async function authenticate(db: Queryable, request: FastifyRequest): Promise<ApiKey> {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization === '') throw unauthorized(NO_KEY);
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  const hash = token === undefined ? undefined : hashKey(token);
  if (!hash)
    throw unauthorized(
      'The API key is malformed: send all of it, as it was shown, ' +
        'in Authorization: Bearer <API_KEY>.',
    );
  const key = await findKey(db, hash, plainAddress(request.ip));
  if (!key) throw unauthorized('The API key is unknown.');
  if (key.revokedAt) throw unauthorized('The API key was revoked.');
  if (key.expired) throw unauthorized('The API key has expired.');
  if (!key.addressAllowed)
    throw new Problem('forbidden', 'This API key may not be used from this address.');
  return key;
}

/** The error of a request without a key. */
export const NO_KEY = 'Send an API key in the header Authorization: Bearer <API_KEY>.';

export function unauthorized(sentence: string): Problem {
  return new Problem('unauthorized', sentence, { headers: { 'www-authenticate': 'Bearer' } });
}
