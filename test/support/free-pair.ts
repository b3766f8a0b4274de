import { freePort, holdPort } from '../../cli/embedded/ports.ts';

/** A free port whose next one is free, too. */
export async function freePair(host: string): Promise<number> {
  for (;;) {
    const port = await freePort(host);
    const next = await holdPort(host, port + 1);
    await next.release();
    if (next.port === port + 1) return port;
  }
}
