import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** False from `drain` on: a proxy should send requests elsewhere. */
    acceptsRequests: boolean;
    /**
     * Before `close`: requests are answered as before, `/readyz` is 503, and each response ends its
     * connection, so that proxies and clients go elsewhere before nobody listens here.
     */
    drain(): void;
  }
}

/**
 * Closes connections while the app closes: idle ones at once, the others after their response. Node
 * would wait for those that never sent a request (browsers open some ahead), and a minute for those
 * kept alive.
 */
export function closeConnectionsWithApp(app: FastifyInstance): void {
  const idle = new Set<Socket>();
  let closing = false;
  app.decorate('acceptsRequests', true);
  app.decorate('drain', () => {
    app.acceptsRequests = false;
  });
  app.server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  app.addHook('onRequest', async request => {
    idle.delete(request.raw.socket);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (!app.acceptsRequests) reply.header('connection', 'close');
  });
  app.addHook('onResponse', async ({ raw: { socket } }) => {
    if (closing) socket.end();
    else if (socket instanceof Socket && !socket.destroyed) idle.add(socket); // not of `inject`
  });
  app.addHook('preClose', async () => {
    closing = true;
    app.acceptsRequests = false;
    for (const socket of idle) socket.destroy();
  });
}
