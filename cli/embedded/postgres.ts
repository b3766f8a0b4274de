import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '../../db/create-database.ts';
import { type Child, failure, startChild, waitUntilReady } from './child.ts';
import { isProcess } from './process.ts';
import { type PostgresHome, prepareHome } from './postgres-home.ts';

export interface PostgresOptions {
  /** Made on the first start; holds everything of the cluster. */
  folder: string;
  logFile: string;
  host: string;
  port: number;
  /** False only for tests: nothing is flushed to disk. */
  durable: boolean;
  /** Its settings that differ from those here. */
  settings?: Record<string, string>;
  /** Of a new cluster; without it a random one. */
  password?: string;
}

export interface EmbeddedPostgres {
  /** Connection string of the database `docent`. */
  url: string;
  pid: number;
  /** Settles when the server is gone. */
  exited: Child['exited'];
  stop: Child['stop'];
}

const USER = 'docent';
const DATABASE = 'docent';

/**
 * Starts Postgres on a data folder, which it creates if need be, and returns when it takes
 * connections.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const home = prepareHome(options.folder);
  const cluster = join(home.folder, 'cluster');
  if (!existsSync(join(cluster, 'PG_VERSION'))) await createCluster(home, cluster, options);
  await waitForPredecessor(cluster);
  const child = await startChild({
    command: join(home.bin, 'postgres'),
    args: ['-D', cluster, '-p', String(options.port), ...settings(options)],
    logFile: options.logFile,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...(home.owner && { owner: home.owner }),
  });
  const password = (await readFile(join(home.folder, 'password'), 'utf8')).trim();
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const connection = (database: string) =>
    `postgres://${USER}:${password}@${host}:${options.port}/${database}`;
  await waitUntilReady('Postgres', child, options.logFile, () =>
    ensureDatabase(connection('postgres')),
  );
  return { url: connection(DATABASE), pid: child.pid, exited: child.exited, stop: child.stop };
}

function settings(options: PostgresOptions): string[] {
  const values: Record<string, string> = {
    listen_addresses: options.host,
    unix_socket_directories: '', // nothing but the password-protected port
    max_connections: '200',
    ...(!options.durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...options.settings,
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Appears whole or not at all: a first start may be cut short. */
async function createCluster(
  home: PostgresHome,
  cluster: string,
  { logFile, password = randomBytes(24).toString('hex') }: PostgresOptions,
): Promise<void> {
  const half = `${cluster}-half`;
  for (const folder of [cluster, half]) await rm(folder, { recursive: true, force: true });
  const passwordFile = join(home.folder, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (home.owner) await chown(passwordFile, home.owner.uid, home.owner.gid);
  const child = await startChild({
    command: join(home.bin, 'initdb'),
    args: [
      `--pgdata=${half}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // The same order and case rules on every machine, whatever locales it has.
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    logFile,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...(home.owner && { owner: home.owner }),
  });
  if ((await child.exited) !== 0)
    throw await failure('Postgres could not create its files', logFile);
  await rename(half, cluster);
}

/** A server whose parent was killed ends a moment later; Postgres refuses to start beside it. */
async function waitForPredecessor(cluster: string): Promise<void> {
  const pid = Number(
    (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
  );
  for (let waited = 0; waited < 10_000 && isProcess(pid, cluster); waited += 100) {
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

/** False while the server is still starting. */
async function ensureDatabase(url: string): Promise<boolean> {
  try {
    await createDatabase(url, DATABASE);
    return true;
  } catch (error) {
    if (isStarting(error)) return false;
    throw error;
  }
}

function isStarting(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // A machine under load may take longer than the client waits; its error has no code.
  return code === 'ECONNREFUSED' || code === '57P03' || message === 'timeout expired';
}
