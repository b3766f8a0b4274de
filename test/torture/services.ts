import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../cli/embedded/ports.ts';
import { type EmbeddedPostgres, startPostgres } from '../../cli/embedded/postgres.ts';
import { type EmbeddedTemporal, startTemporal } from '../../cli/embedded/temporal.ts';
import { obtainTemporalCli } from '../../cli/embedded/temporal-cli.ts';
import { childrenOf, processesOf } from '../support/processes.ts';

const HOST = '127.0.0.1';

/** Postgres or Temporal, started again whenever it has ended, as a supervisor does. */
export class Service<R extends EmbeddedPostgres | EmbeddedTemporal> {
  readonly name: string;
  readonly #launch: () => Promise<R>;
  /** Postgres gets SIGQUIT, on which it ends without a word more to its files. */
  readonly #kill: NodeJS.Signals;
  readonly #folder: string;
  #running: R | undefined;
  #starting: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(
    name: string,
    options: {
      launch(): Promise<R>;
      kill: NodeJS.Signals;
      folder: string;
    },
  ) {
    this.name = name;
    this.#launch = options.launch;
    this.#kill = options.kill;
    this.#folder = options.folder;
  }

  async start(): Promise<R> {
    const running = await this.#launch();
    this.#running = running;
    void running.exited.then(() => {
      this.#starting = this.#again();
    });
    return running;
  }

  /** It ends at once, and starts again. */
  async kill(): Promise<void> {
    await this.#starting;
    const running = this.#running!;
    this.#signal([running.pid], this.#kill);
    await running.exited;
    await this.#starting;
  }

  /** With all its processes. */
  async freeze(ms: number): Promise<void> {
    await this.#starting;
    const pid = this.#running!.pid;
    const all = [pid, ...childrenOf(pid)];
    this.#signal(all, 'SIGSTOP');
    await delay(ms);
    this.#signal(all, 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#starting.catch(() => undefined);
    await this.#running?.stop();
  }

  #signal(pids: number[], name: NodeJS.Signals): void {
    for (const pid of pids)
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
  }

  /** A disk that is still full refuses the start. */
  async #again(): Promise<void> {
    while (!this.#isOver) {
      await delay(500);
      const started = await this.start().then(
        () => true,
        () => false,
      );
      if (started) return;
      this.#signal(processesOf(this.#folder), 'SIGKILL');
    }
  }
}

export interface Services {
  postgresUrl: string;
  temporalAddress: string;
  /** What Temporal keeps. */
  temporalFolder: string;
  each: [Service<EmbeddedTemporal>, Service<EmbeddedPostgres>];
  /** Both end at once, and start again. */
  powerCut(): Promise<void>;
  stop(): Promise<void>;
}

/** Both in folders of their own below this one, named as they are. */
export async function startServices(folder: string): Promise<Services> {
  const cliPath = await obtainTemporalCli({
    ...(process.env['TEMPORAL_CLI_PATH'] && { configured: process.env['TEMPORAL_CLI_PATH'] }),
    searchPath: process.env['PATH'] ?? '',
    notify: sentence => console.error(sentence),
  });
  const [port, uiPort, databasePort] = [
    await freePort(HOST),
    await freePort(HOST),
    await freePort(HOST),
  ];
  const temporalFolder = join(folder, 'temporal');
  mkdirSync(temporalFolder, { recursive: true });
  // Of a folder that root has made, it must not be the top: the server runs as another user.
  const postgresFolder = join(folder, 'postgres', 'home');
  mkdirSync(dirname(postgresFolder), { recursive: true });
  const databaseFile = join(temporalFolder, 'temporal.db');
  const temporal = new Service('temporal', {
    launch: () =>
      startTemporal({
        ...{ cliPath, databaseFile, host: HOST, port, uiPort },
        logFile: join(folder, 'temporal.log'),
      }),
    folder: temporalFolder,
    kill: 'SIGKILL',
  });
  const postgres = new Service('postgres', {
    launch: () =>
      startPostgres({
        folder: postgresFolder,
        logFile: join(folder, 'postgres.log'),
        ...{ host: HOST, port: databasePort, durable: true },
        settings: { max_wal_size: '64MB' }, // its disk may be a small one
      }),
    folder: postgresFolder,
    kill: 'SIGQUIT',
  });
  const [{ address }, { url }] = await Promise.all([temporal.start(), postgres.start()]);
  return {
    ...{ postgresUrl: url, temporalAddress: address, temporalFolder },
    each: [temporal, postgres],
    async powerCut() {
      await Promise.all([temporal.kill(), postgres.kill()]);
    },
    async stop() {
      await Promise.all([temporal.stop(), postgres.stop()]);
    },
  };
}
