import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupFolder } from '../../cli/backup/backup-folder.ts';
import { copyTemporal } from '../../cli/backup/temporal-file.ts';
import { freePort } from '../../cli/embedded/ports.ts';
import { startTemporal } from '../../cli/embedded/temporal.ts';
import { onServer, type TestDatabase, testDatabase, testTemporal } from './services.ts';

const HOST = '127.0.0.1';
const FILE = 'temporal.db';

export interface OwnServices {
  temporalAddress: string;
  database: TestDatabase;
  /** Keeps the service as it is at this moment, while it runs. */
  backUp(service: 'temporal' | 'postgres'): Promise<void>;
  /** Takes the service back to its backup; every connection to it is cut. */
  restore(service: 'temporal' | 'postgres'): Promise<void>;
  /** Stops Temporal; what it gives back starts it again. */
  stopTemporal(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** A Temporal server and a database that only one test uses, and that it can take back. */
export async function startOwnServices(): Promise<OwnServices> {
  const [temporal, database] = await Promise.all([OwnTemporal.start(), testDatabase()]);
  const services = { temporal, postgres: new OwnDatabase(database) };
  return {
    temporalAddress: temporal.address,
    database,
    backUp: service => services[service].backUp(),
    restore: service => services[service].restore(),
    stopTemporal: () => temporal.stop(),
    async close() {
      await temporal.close();
      await services.postgres.close();
    },
  };
}

type Server = Awaited<ReturnType<typeof startTemporal>>;

class OwnTemporal {
  readonly #folder: string;
  readonly #start: () => Promise<Server>;
  #server: Server;
  #backups = 0;

  private constructor(folder: string, start: () => Promise<Server>, server: Server) {
    this.#folder = folder;
    this.#start = start;
    this.#server = server;
  }

  static async start(): Promise<OwnTemporal> {
    const folder = mkdtempSync(join(tmpdir(), 'docent-own-'));
    chmodSync(folder, 0o700);
    const [port, uiPort] = [await freePort(HOST), await freePort(HOST)];
    const start = () =>
      startTemporal({
        cliPath: testTemporal().cliPath,
        databaseFile: join(folder, FILE),
        logFile: join(folder, 'temporal.log'),
        ...{ host: HOST, port, uiPort },
      });
    return new OwnTemporal(folder, start, await start());
  }

  get address(): string {
    return this.#server.address;
  }

  async backUp(): Promise<void> {
    const backup = await BackupFolder.create(this.#kept(++this.#backups));
    await copyTemporal(join(this.#folder, FILE), backup);
  }

  async restore(): Promise<void> {
    await this.#server.stop();
    for (const name of readdirSync(this.#folder))
      if (name.startsWith(FILE)) rmSync(join(this.#folder, name));
    const kept = join(this.#kept(this.#backups), 'temporal');
    for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(this.#folder, name));
    this.#server = await this.#start();
  }

  async stop(): Promise<() => Promise<void>> {
    await this.#server.stop();
    return async () => {
      this.#server = await this.#start();
    };
  }

  #kept(backup: number): string {
    return join(this.#folder, `kept-${backup}`);
  }

  async close(): Promise<void> {
    await this.#server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

class OwnDatabase {
  readonly #url: string;
  readonly #name: string;

  constructor({ url }: TestDatabase) {
    this.#url = url;
    this.#name = new URL(url).pathname.slice(1);
  }

  async backUp(): Promise<void> {
    await this.close();
    await this.#on(`alter database ${this.#name} allow_connections false`);
    try {
      await this.#on(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
                       where datname = '${this.#name}'`);
      await this.#on(`create database ${this.#name}_kept template ${this.#name}`);
    } finally {
      await this.#on(`alter database ${this.#name} allow_connections true`);
    }
  }

  async restore(): Promise<void> {
    await this.#on(`drop database ${this.#name} with (force)`);
    await this.#on(`create database ${this.#name} template ${this.#name}_kept`);
  }

  /** The test's database itself is the stack's to close. */
  async close(): Promise<void> {
    await this.#on(`drop database if exists ${this.#name}_kept`);
  }

  async #on(statement: string): Promise<void> {
    const server = new URL(this.#url);
    server.pathname = '/postgres';
    await onServer(server.href, statement);
  }
}
