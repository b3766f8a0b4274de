import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../db/people/sessions.ts';
import type { ApiKey } from '../../db/projects/keys.ts';
import { limitRefusals } from '../../shared/metrics/metrics.ts';
import { Problem } from '../../shared/errors.ts';
import { retryAfter } from '../../shared/retry-after.ts';
import { addressScope } from './client-address.ts';

const MIB = 1024 * 1024;

/** Bytes of a body that a route accepts. A larger one is refused by its Content-Length, unread. */
export const BODY_LIMITS = {
  /** Of routes that need no more: a form of the dashboard, a search. */
  usual: MIB / 16,
  /** A prompt or a pull request's text, whatever its encoding makes of it. */
  text: MIB,
  /** Chat hooks send the whole conversation back, sources included. */
  conversation: 4 * MIB,
} as const;

/** What the refused bodies of one caller may add up to within a window. */
const BUDGET = 16 * MIB;
const WINDOW_SECONDS = 60;
/** What a refused body counts at least. */
const LEAST = 4 * 1024;
const REFUSALS = new Set([400, 413, 415]);

/** Gives every route that needs an admin key the limit for text, unless it has its own. */
export function limitBodies(app: FastifyInstance): void {
  app.addHook('onRoute', route => {
    if (route.config?.access === 'admin') route.bodyLimit ??= BODY_LIMITS.text;
  });
  limitRefusedBodies(app);
}

/**
 * Counts refused bodies by caller, in this process. Reading one costs work before it is refused,
 * and no other limit counts it. A sign-in or a webhook is never refused for the bodies of others:
 * all of a team, or all of GitHub, may have one address.
 */
function limitRefusedBodies(app: FastifyInstance): void {
  const spent = new Map<string, number>();
  let opened = Date.now();

  // The key was checked, and the body was not read.
  app.addHook('preParsing', async request => {
    if (Date.now() - opened >= WINDOW_SECONDS * 1000) {
      spent.clear();
      opened = Date.now();
    }
    const caller = callerOf(request);
    if (caller === undefined || !hasBody(request) || (spent.get(caller) ?? 0) < BUDGET) return;
    const wait = Math.max(1, Math.ceil(WINDOW_SECONDS - (Date.now() - opened) / 1000));
    limitRefusals.inc({ limit: 'refused-bodies' });
    throw new Problem(
      'limit_exceeded',
      `Limit exceeded: ${BUDGET / MIB} MiB of refused request bodies per minute for this caller. ` +
        `Try again in ${wait} seconds.`,
      { headers: retryAfter(wait) },
    );
  });

  app.addHook('onResponse', async (request, reply) => {
    const caller = callerOf(request);
    if (caller === undefined || !REFUSALS.has(reply.statusCode) || !hasBody(request)) return;
    const size = Math.max(LEAST, sizeRead(request, reply.statusCode));
    spent.set(caller, (spent.get(caller) ?? 0) + size);
  });
}

/**
 * Who is counted: a key at an address, since a public key is everybody's; a user; an address that
 * asks the assistant without a key. Undefined for a public route.
 */
function callerOf({ apiKey, signedIn, ip, routeOptions }: FastifyRequest): string | undefined {
  if (apiKey as ApiKey | undefined) return `${apiKey.id} ${addressScope(ip)}`;
  if (signedIn as SignedIn | undefined) return signedIn.user.id;
  return routeOptions.config.access === 'reader' ? addressScope(ip) : undefined;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Without a Content-Length, a body that is too large is found out by reading up to the limit. */
function sizeRead(request: FastifyRequest, status: number): number {
  const isCounted = status === 413 && request.headers['content-length'] === undefined;
  return request.bodySize ?? (isCounted ? request.routeOptions.bodyLimit : 0);
}
