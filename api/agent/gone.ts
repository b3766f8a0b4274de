import type { FastifyReply } from 'fastify';

/** Aborts when the caller goes away before it has its whole answer. */
export function gone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => { if (!reply.raw.writableFinished) controller.abort(); });
  return controller.signal;
}
