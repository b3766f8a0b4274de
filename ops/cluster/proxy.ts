import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answers } from './processes.ts';

export interface ReverseProxy {
  url: string;
  close(): Promise<void>;
}

const CHECK_EVERY_MS = 1_000;
const KEEP_ALIVE_MS = 75_000;

/**
 * The built-in repository host is files in the folder of the first API: clones and pushes, pages of
 * pull requests, and the dashboard, which adds projects and shows pull requests.
 */
const NEEDS_FILES = /^\/(?:git\/|pulls\/|api\/dashboard\/(?:projects|organizations)\b)/;

/**
 * A reverse proxy as docs/operate/deploy describes one: requests go to the APIs in turn, past those
 * that are not ready or do not listen, and streams pass as they come.
 */
export async function startReverseProxy(
  listenAt: { host: string; port: number },
  apis: number[],
): Promise<ReverseProxy> {
  let turn = 0;
  const unready = new Set<number>();
  const checking = checkRegularly(listenAt.host, apis, unready);
  const server = createServer((incoming, outgoing) => {
    const first = turn++;
    const inTurn = apis.map((_, i) => apis[(first + i) % apis.length] as number);
    const order = NEEDS_FILES.test(incoming.url ?? '')
      ? apis.slice(0, 1)
      : inTurn.toSorted((a, b) => Number(unready.has(a)) - Number(unready.has(b)));
    void forward(incoming, outgoing, listenAt.host, order);
  });
  // As nginx: clients send on a connection that they have used a moment ago.
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listenAt, resolve);
  });
  return {
    url: `http://${listenAt.host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      clearInterval(checking);
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Keeps `unready` up to date: APIs whose `/readyz` is not 200. */
function checkRegularly(host: string, apis: number[], unready: Set<number>): NodeJS.Timeout {
  return setInterval(() => {
    for (const port of apis)
      void answers(`http://${host}:${port}/readyz`).then(isReady =>
        isReady ? unready.delete(port) : unready.add(port),
      );
  }, CHECK_EVERY_MS).unref();
}

async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  host: string,
  ports: number[],
): Promise<void> {
  for (const port of ports) if (await passes(incoming, outgoing, { host, port })) return;
  outgoing.writeHead(502, { 'content-type': 'text/plain' }).end('No API answers.\n');
}

/** False if the API does not listen; nothing of the request has been sent then. */
async function passes(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  target: { host: string; port: number },
): Promise<boolean> {
  const from = incoming.headers['x-forwarded-for'];
  const address = incoming.socket.remoteAddress ?? '';
  return await new Promise(resolve => {
    const upstream = request({
      ...target,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...incoming.headers,
        'x-forwarded-for': from ? `${String(from)}, ${address}` : address,
      },
      agent: false,
    });
    let connected = false;
    upstream.once('socket', socket =>
      socket.once('connect', () => {
        connected = true;
        incoming.pipe(upstream);
        resolve(true);
      }),
    );
    upstream.on('response', answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    upstream.on('error', () => {
      if (!connected) return resolve(false);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on('close', () => upstream.destroy());
  });
}
