import { type Part, supervise } from '../../cli/stack/supervise.ts';

/** What has been started: kept running, and stopped in reverse order. */
export class Running {
  readonly pids: Record<string, number> = {};
  readonly #stops: (() => Promise<void>)[] = [];
  readonly #notify: (sentence: string) => void;

  constructor(notify: (sentence: string) => void) {
    this.#notify = notify;
  }

  add(stop: () => Promise<void>): void {
    this.#stops.push(stop);
  }

  /** As `restart: unless-stopped`: whenever it ends by itself, it is started again. */
  async keep(name: string, start: () => Promise<Part & { pid: number }>): Promise<void> {
    const counted = async () => {
      const part = await start();
      this.pids[name] = part.pid;
      return part;
    };
    const say = (_: unknown, text?: string) => this.#notify(text ?? name);
    this.add(supervise(name, await counted(), counted, () => ({ error: say, info: say })).stop);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }
}
