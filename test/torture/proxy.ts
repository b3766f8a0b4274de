import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a network does to the connections that pass it. */
export type NetworkFault =
  'cut' | 'delay' | 'half-open' | 'lost answer' | 'refuse' | 'swallow' | 'swallow new' | 'halve';

interface Pair {
  client: Socket;
  service: Socket;
  /** Nothing passes any more, and nobody is told. */
  isSwallowed: boolean;
}

/** After these the connections that met them end. */
const ENDS: readonly (NetworkFault | undefined)[] = ['half-open', 'lost answer'];

/**
 * A TCP proxy before one service. `cut`: all connections end now; `delay`: every piece comes half a
 * second late; `half-open`: nothing passes and nobody is told; `lost answer`: requests arrive,
 * answers do not, then the connections end; `refuse`: nobody gets in. `swallow`: what is connected
 * gets nothing any more, not even an end, while new connections work; `swallow new`: so do those that
 * are made meanwhile; `halve`: half of an answer passes, and nothing after it.
 */
export class Proxy {
  readonly port: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
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

  /** Lets the fault act for `ms`. */
  async suffer(fault: NetworkFault, ms: number): Promise<void> {
    this.#fault = fault;
    if (fault === 'cut' || fault === 'refuse') this.#endAll();
    if (fault.startsWith('swallow')) for (const pair of this.#pairs) pair.isSwallowed = true;
    await new Promise(resolve => setTimeout(resolve, fault === 'cut' ? 0 : ms));
    this.#fault = undefined;
    if (ENDS.includes(fault)) this.#endAll();
  }

  async close(): Promise<void> {
    this.#endAll();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #join(client: Socket, service: Socket): void {
    const pair: Pair = { client, service, isSwallowed: this.#fault === 'swallow new' };
    const end = (which: Socket) => () => {
      which.destroy();
      // Nobody is told.
      if (pair.isSwallowed && this.#pairs.has(pair) && which === service) return;
      this.#pairs.delete(pair);
      client.destroy();
      service.destroy();
    };
    if (this.#fault === 'refuse') return end(client)();
    this.#pairs.add(pair);
    for (const socket of [client, service])
      socket.setNoDelay(true).on('error', end(socket)).on('close', end(socket));
    client.on('data', piece => this.#pass(pair, piece, service));
    service.on('data', piece => this.#pass(pair, piece, client));
  }

  #pass(pair: Pair, piece: Buffer, to: Socket): void {
    const isAnswer = to === pair.client;
    if (pair.isSwallowed || this.#fault === 'half-open') return;
    if (this.#fault === 'lost answer' && isAnswer) return;
    if (this.#fault === 'halve' && isAnswer) {
      pair.isSwallowed = true;
      piece = piece.subarray(0, Math.ceil(piece.length / 2));
    }
    if (this.#fault === 'delay') {
      setTimeout(() => to.writable && to.write(piece), 500);
      return;
    }
    if (to.writable) to.write(piece);
  }

  #endAll(): void {
    for (const { client, service } of this.#pairs) {
      client.destroy();
      service.destroy();
    }
    this.#pairs.clear();
  }
}
