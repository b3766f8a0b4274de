import type { FastifyInstance } from 'fastify';
import { httpRequests } from '../../shared/metrics/metrics.ts';

/** Logs and counts each response: one line, with the route's pattern: the URL itself may contain a token. */
export function logResponses(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    httpRequests.observe(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
      },
      reply.elapsedTime / 1000,
    );
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
