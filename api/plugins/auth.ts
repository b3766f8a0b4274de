import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { inTurn, share } from '../../shared/db/pool-share.ts';
import { type ApiKey, findKey, touchKey } from '../../shared/db/projects/keys.ts';
import type { Pool, Queryable } from '../../shared/db/pool.ts';
import {
  type Project,
  findProject,
  findProjectByDomain,
} from '../../shared/db/projects/projects.ts';
import { Problem } from '../../shared/errors.ts';
import { type KeyKind, hashKey } from '../../shared/secrets/api-keys.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. A route that does not say is refused at registration. */
    access?: KeyKind | 'public';
  }
  interface FastifyRequest {
    /** The caller's key; on public routes there is none. */
    apiKey: ApiKey;
  }
}

const TOUCH_INTERVAL_MS = 60_000;

/**
 * Checks the key of every route that needs one, before the body is read. Routes say who may call
 * them; silence stops the start.
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
    const key = await authenticate(db, request);
    if (key.kind !== access) {
      throw new Problem(
        'forbidden',
        access === 'admin'
          ? 'This endpoint takes an admin API key; the one given is an assistant key.'
          : 'This endpoint takes an assistant API key; the one given is an admin key, a secret that belongs on a server.',
      );
    }
    request.apiKey = key; // before its origins are checked: CORS headers follow the key's list on the refusal too
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

/**
 * Opens the routes of a scope to callers without an API key: pages for everybody, or routes that
 * check a credential of their own.
 */
export function withoutKey(scope: FastifyInstance): void {
  scope.addHook('onRoute', route => {
    route.config = { ...route.config, access: 'public' };
  });
}

async function authenticate(db: Queryable, request: FastifyRequest): Promise<ApiKey> {
  const { authorization } = request.headers;
  if (authorization === undefined || authorization === '')
    throw unauthorized('Give an API key in the header Authorization: Bearer <API_KEY>.');
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
  const hash = token === undefined ? undefined : hashKey(token);
  if (!hash)
    throw unauthorized(
      'The API key is malformed: take it whole, as it was shown, in Authorization: Bearer <API_KEY>.',
    );
  const key = await findKey(db, hash, plainAddress(request.ip));
  if (!key) throw unauthorized('The API key is unknown.');
  if (key.revokedAt) throw unauthorized('The API key was revoked.');
  if (key.expired) throw unauthorized('The API key has expired.');
  if (!key.addressAllowed)
    throw new Problem('forbidden', 'This API key may not be used from this address.');
  return key;
}

function unauthorized(sentence: string): Problem {
  return new Problem('unauthorized', sentence, { headers: { 'www-authenticate': 'Bearer' } });
}

const UNKNOWN_ADDRESS = '0.0.0.0';

/**
 * An IPv4 address that came in over IPv6 as plain IPv4, without a zone: the form that Postgres'
 * `inet` compares.
 */
export function plainAddress(address: string): string {
  // Some proxies report a port as well, and a header may hold anything.
  const bare = address
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  const plain = bare.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(plain) === 0 ? UNKNOWN_ADDRESS : plain;
}

/**
 * Whether an `Origin` header is on an allow-list: whole origins, or `https://*.example.com` for
 * subdomains. An empty list allows any.
 */
export function originAllowed(allowed: readonly string[], origin: string | undefined): boolean {
  if (allowed.length === 0) return true;
  if (origin === undefined) return false;
  const given = origin.toLowerCase();
  return allowed.some(entry => {
    const [scheme, rest] = entry.toLowerCase().replace(/\/$/, '').split('://*.');
    return rest === undefined
      ? given === scheme
      : given.startsWith(`${scheme}://`) && given.endsWith(`.${rest}`);
  });
}

/**
 * The project of an agent route's path. Another organization's is as unknown as one that never was.
 */
export async function agentProject(pool: Pool, key: ApiKey, projectId: string): Promise<Project> {
  const project = isPlainId(projectId) ? await findProject(pool, projectId) : undefined;
  if (!project || project.organizationId !== key.organizationId)
    throw new Problem('not_found', 'There is no such project.');
  return project;
}

/**
 * The project of an assistant route's path: 404 where the organization has no such domain, 403
 * where the key is for another one.
 */
export async function assistantProject(
  db: Queryable,
  key: ApiKey,
  domain: string,
): Promise<Project> {
  const project = isPlainId(domain) ? await findProjectByDomain(db, domain) : undefined;
  if (!project || project.organizationId !== key.organizationId)
    throw new Problem('not_found', 'There is no such domain.');
  if (project.id !== key.projectId)
    throw new Problem('forbidden', 'This API key belongs to another domain.');
  return project;
}

/**
 * Whether text from a path can be an id at all; anything else need not reach the database (U+0000
 * would be an error there).
 */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(text);
}
