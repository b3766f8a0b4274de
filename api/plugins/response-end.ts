import type { FastifyReply } from 'fastify';

/**
 * Aborts when a response has ended, or cannot be sent any more because its caller has left; it may
 * be aborted from the start.
 */
export function responseEnd({
  raw: response,
  request: {
    raw: { socket },
  },
}: FastifyReply): AbortSignal {
  const end = new AbortController();
  const close = () => {
    socket.off('close', close);
    end.abort();
  };
  if (response.destroyed || socket.destroyed) end.abort();
  response.once('close', close);
  // A response that waits for the previous one on its connection gets no event of its own.
  socket.once('close', close);
  return end.signal;
}
