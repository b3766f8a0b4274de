import { randomInt } from 'node:crypto';
import { createServer, request as send, type Server, type ServerResponse } from 'node:http';
import { platform } from 'node:os';
import { isOwnHost } from '../../shared/host-names.ts';

export interface WebUiProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * An address for a server that only we should reach. All of 127.0.0.0/8 is this machine on Linux: a
 * random one of 16 million addresses is not found by trying.
 */
export function hiddenAddress(): string {
  if (platform() !== 'linux') return '127.0.0.1';
  const part = () => randomInt(1, 255);
  return `127.${part()}.${part()}.${part()}`;
}

/**
 * Serves Temporal's Web UI, which itself answers to any name and asks for no password, under names
 * of this machine only. A port that is taken is replaced by a free one.
 */
export async function startWebUiProxy(
  at: { host: string; port: number },
  target: { host: string; port: number },
): Promise<WebUiProxy> {
  const server = createServer((request, response) => {
    if (!isOwnHost(request.headers.host, new Set())) return refuse(response, 403);
    const onward = send(
      { ...target, method: request.method, path: request.url, headers: request.headers },
      answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => (response.headersSent ? response.destroy() : refuse(response, 502)));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await listen(server, at).catch(() => listen(server, { host: at.host, port: 0 }));
  return {
    port: (server.address() as { port: number }).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>(closed => server.close(() => closed()));
    },
  };
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(status === 403 ? 'Open this page by localhost or an IP address.\n' : 'No answer.\n');
}

async function listen(server: Server, at: { host: string; port: number }): Promise<void> {
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(at, () => {
      server.off('error', failed);
      listening();
    });
  });
}
