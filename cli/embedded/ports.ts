import { createServer } from 'node:net';

/** The usual port if nobody listens on it, else a free one. */
export async function choosePort(host: string, usual: number): Promise<number> {
  return await listen(host, usual).catch(() => freePort(host));
}

/** A port that is free now; the system names it. */
export async function freePort(host: string): Promise<number> {
  return await listen(host, 0);
}

/** Listens for a moment; rejects where the port is taken. */
async function listen(host: string, port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const address = server.address() as { port: number };
      server.close(() => resolve(address.port));
    });
  });
}
