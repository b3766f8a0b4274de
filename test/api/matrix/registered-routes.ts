import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

/**
 * What `start` returns, and every route that it registered, as `GET /path/:name`. Fastify's print
 * of its tree leaves out prefixes that routes share.
 */
export async function withRoutes<T>(start: () => Promise<T>): Promise<[T, string[]]> {
  const routes = new Set<string>();
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat())
        if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`);
    });
  };
  subscribe('fastify.initialization', watch);
  try {
    return [await start(), [...routes]];
  } finally {
    unsubscribe('fastify.initialization', watch);
  }
}
