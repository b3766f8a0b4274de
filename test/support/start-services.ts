import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../cli/embedded/ports.ts';
import { startPostgres } from '../../cli/embedded/postgres.ts';
import { obtainTemporalCli } from '../../cli/embedded/temporal-cli.ts';
import { startTemporal } from '../../cli/embedded/temporal.ts';
import { workflowBundle } from '../../cli/stack/workflow-bundle.ts';
import { migrate } from '../../db/migrate.ts';
import { openPool } from '../../db/pool.ts';

const HOST = '127.0.0.1';
const TEMPLATE = 'docent_template';

/**
 * One Postgres and one Temporal server for the whole run, unless TEST_DATABASE_URL or
 * TEST_TEMPORAL_ADDRESS name running ones, and one bundle of the workflows; leaves their addresses
 * and its path in the environment for test/support/services.ts.
 */
export async function startServices(): Promise<{ stop(): Promise<void> }> {
  const folder = await quickFolder();
  await chmod(folder, 0o711); // root runs Postgres as another user
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.all(started.map(service => service.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const cliPath = await obtainTemporalCli({
      ...(process.env['TEMPORAL_CLI_PATH'] && { configured: process.env['TEMPORAL_CLI_PATH'] }),
      searchPath: process.env['PATH'] ?? '',
      notify: sentence => console.error(sentence),
    });
    process.env['TEST_TEMPORAL_CLI'] = cliPath;
    await Promise.all([postgres(folder, started), temporal(folder, started, cliPath)]);
    process.env['TEST_WORKFLOWS'] = await workflowBundle(join(tmpdir(), 'docent-test-bundles'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

const PREFIX = 'docent-test-';
const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const ROOM_BYTES = 4e9;

/**
 * A new folder. A database for each test is 300 files. In memory they are a third of the work, so
 * the folder is there if the machine has the room.
 */
async function quickFolder(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  const hasRoom =
    found?.type === TMPFS &&
    Math.min(found.bavail * found.bsize, process.availableMemory()) > ROOM_BYTES;
  if (!hasRoom) return await mkdtemp(join(tmpdir(), PREFIX));
  await removeLeft(MEMORY);
  return await mkdtemp(join(MEMORY, PREFIX));
}

const LEFT_MS = 24 * 60 * 60_000;

/**
 * What runs that were killed have left in memory. By its age: a run in another container, whose
 * processes are not seen from here, may share the folder.
 */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const made = (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs;
    if (made !== undefined && made < Date.now() - LEFT_MS)
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function postgres(folder: string, started: { stop(): Promise<void> }[]): Promise<void> {
  if (!process.env['TEST_DATABASE_URL']) {
    const server = await startPostgres({
      folder: join(folder, 'postgres'),
      logFile: join(folder, 'logs', 'postgres.log'),
      host: HOST,
      port: await freePort(HOST),
      durable: false,
    });
    started.push(server);
    process.env['TEST_DATABASE_URL'] = server.url;
  }
  await makeTemplate(process.env['TEST_DATABASE_URL']);
}

/** Migrated once; every test's database is a copy, which takes some 20 ms. */
async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop database if exists ${TEMPLATE} with (force)`);
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  const pool = openPool({ connectionString: template.href });
  await migrate(pool);
  await pool.end();
}

async function temporal(
  folder: string,
  started: { stop(): Promise<void> }[],
  cliPath: string,
): Promise<void> {
  if (process.env['TEST_TEMPORAL_ADDRESS']) return;
  const server = await startTemporal({
    cliPath,
    logFile: join(folder, 'logs', 'temporal.log'),
    host: HOST,
    port: await freePort(HOST),
    uiPort: await freePort(HOST),
    env: { GOGC: '400' }, // memory for CPU
  });
  started.push(server);
  process.env['TEST_TEMPORAL_ADDRESS'] = server.address;
}
