import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a network does to the connections that pass it. */
export type NetworkFault = 'cut' | 'delay' | 'half-open' | 'lost answer' | 'refuse';

/**
 * A TCP proxy before one service. `cut`: all connections end now; `delay`: every piece comes half a
 * second late; `half-open`: nothing passes and nobody is told; `lost answer`: requests arrive,
 * answers do not, then the connections end; `refuse`: nobody gets in.
 */
export class Proxy {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<[client: Socket, service: Socket]>();
  #fault: NetworkFault | undefined;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async before(target: { host: string; port: number }): Promise<Proxy> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const proxy = new Proxy(server, (server.address() as { port: number }).port);
    server.on('connection', client => proxy.#join(client, connect(target.port, target.host)));
    return proxy;
  }

  /** Lets the fault act for `ms`; afterwards all connections that met it have ended. */
  async suffer(fault: NetworkFault, ms: number): Promise<void> {
    this.#fault = fault;
    if (fault === 'cut' || fault === 'refuse') this.#endAll();
    await new Promise(resolve => setTimeout(resolve, fault === 'cut' ? 0 : ms));
    this.#fault = undefined;
    if (fault === 'half-open' || fault === 'lost answer') this.#endAll();
  }

  async close(): Promise<void> {
    this.#endAll();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #join(client: Socket, service: Socket): void {
    const pair: [Socket, Socket] = [client, service];
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    if (this.#fault === 'refuse') return end();
    this.#pairs.add(pair);
    for (const socket of pair) socket.setNoDelay(true).on('error', end).on('close', end);
    client.on('data', piece => this.#pass(piece, service, 'request'));
    service.on('data', piece => this.#pass(piece, client, 'answer'));
  }

  #pass(piece: Buffer, to: Socket, way: 'request' | 'answer'): void {
    if (this.#fault === 'half-open' || (this.#fault === 'lost answer' && way === 'answer')) return;
    if (this.#fault === 'delay') {
      setTimeout(() => to.writable && to.write(piece), 500);
      return;
    }
    if (to.writable) to.write(piece);
  }

  #endAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }
}
