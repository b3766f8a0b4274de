import type { FastifyReply } from 'fastify';

/**
 * Aborts when a response is through, or can be no more because its caller has left; it may be
 * aborted from the start.
 */
export function overOf({
  raw: response,
  request: {
    raw: { socket },
  },
}: FastifyReply): AbortSignal {
  const over = new AbortController();
  const close = () => {
    socket.off('close', close);
    over.abort();
  };
  if (response.destroyed || socket.destroyed) over.abort();
  response.once('close', close);
  socket.once('close', close); // a response that waits for the one before it on a connection never hears of the close
  return over.signal;
}
