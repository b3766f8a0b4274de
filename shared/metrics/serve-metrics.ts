import { createServer, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';

/**
 * Serves `/metrics` on a port of its own, in the text format of Prometheus. `more`: an address whose
 * metrics are appended, such as those of Temporal's SDK in this process.
 */
export async function serveMetrics(
  { host, port }: { host: string; port: number },
  registry: Registry,
  more?: string,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url?.split('?')[0] !== '/metrics')
      return answer(response, 404, 'text/plain; charset=utf-8', 'not found\n');
    void Promise.all([registry.metrics(), textOf(more)]).then(
      parts => answer(response, 200, registry.contentType, parts.join('')),
      (error: Error) =>
        answer(response, 503, 'text/plain; charset=utf-8', `${error.message.split('\n')[0]}\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

async function textOf(address: string | undefined): Promise<string> {
  if (address === undefined) return '';
  const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(5_000) });
  return response.text();
}

function answer(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { 'content-type': type }).end(text);
}
