import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ErrorType, ERROR_STATUS, encodeError } from './messages-protocol.ts';

/** Sends one of the API's errors; `headers` may add Retry-After. */
export function sendError(
  response: ServerResponse,
  type: ErrorType,
  message: string,
  requestId: string,
  options: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(options.status ?? ERROR_STATUS[type], {
    'content-type': 'application/json',
    'request-id': requestId,
    ...options.headers,
  });
  response.end(JSON.stringify(encodeError(type, message, requestId)));
}

/** The request's body as JSON, or undefined where it is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Listens and gives the server's URL, without a slash at its end. */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const { address: name, port: taken, family } = address;
  return `http://${family === 'IPv6' ? `[${name}]` : name}:${taken}`;
}

/** Ends open connections too: a stream that never ends must not hold the process. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
