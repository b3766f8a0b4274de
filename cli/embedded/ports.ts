import { createServer } from 'node:net';
import { ConfigError } from '../../shared/errors.ts';

/** A port that is ours until it is released to the server that it is for. */
export interface HeldPort {
  port: number;
  /** Safe to call again. */
  release(): Promise<void>;
}

/** The usual port if nobody listens on it, else a free one. */
export async function holdPort(host: string, usual: number): Promise<HeldPort> {
  return await listen(host, usual).catch(() => listen(host, 0));
}

/** A port that is free now; the system names it. */
export async function freePort(host: string): Promise<number> {
  const { port, release } = await listen(host, 0);
  await release();
  return port;
}

/** Rejects where the port is taken. */
async function listen(host: string, port: number): Promise<HeldPort> {
  return await new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy());
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const address = server.address() as { port: number };
      resolve({
        port: address.port,
        release: async () => await new Promise(released => server.close(() => released())),
      });
    });
  });
}

/** What to say where something listens already, and what to do `instead` of stopping that. */
export function portTaken(
  host: string,
  port: number,
  instead = 'set PORT to another',
): ConfigError {
  return new ConfigError(
    `PORT ${port} is taken on ${host}. Stop what listens there, or ${instead}.`,
  );
}
