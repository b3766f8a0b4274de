import { readFile, realpath, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { withAdvisoryLock } from '../../db/advisory-lock.ts';
import { clusterFolder, beginClusterBackup, endClusterBackup } from '../../db/cluster-backup.ts';
import { newestMigration } from '../../db/migrate.ts';
import { openPool, type Pool, type Connection } from '../../db/pool.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { readEncryptionKey } from '../connect/encryption-key.ts';
import { demoEnvPath, readDemoEnv } from '../stack/demo-env.ts';
import { findRunning } from '../stack/running.ts';
import { BackupFolder } from './backup-folder.ts';
import { openPostgres, POSTGRES_FOLDER, requireEmbedded, TEMPORAL_FILE } from './embedded-stack.ts';
import type { Manifest } from './manifest.ts';
import { SEALED_KEY, sealKey } from './sealed-key.ts';
import { copyTemporal } from './temporal-file.ts';
import { git, GitCommandError } from '../../hosts/git/git-command.ts';
import { isAbsent } from './copy-file.ts';

const LOCK = 'docent backup';

interface BackupOptions {
  /** The release that makes it. */
  docent: string;
  /** Seals the encryption key. */
  passphrase?: string | undefined;
}

export interface BackedUp {
  manifest: Manifest;
  /** For how long Temporal stood still. */
  stoodStillMs: number;
  /** Repositories that lack objects, in the data folder as in the backup. */
  damaged: string[];
}

/**
 * Copies everything that `docent start` keeps on the data folder, while it runs or not.
 *
 * The order is what makes it consistent. What the API acknowledges is in Postgres and in
 * Temporal. Temporal's copy comes first: whatever it knows, the later copy of Postgres has the rows
 * of, and what it does not know yet is only newer than the mark. The repositories come last: a
 * branch may be ahead of its rows, which jobs recognize, and never behind.
 */
export async function backUp(
  config: Config,
  folder: string,
  { docent, passphrase }: BackupOptions,
): Promise<BackedUp> {
  requireEmbedded(config);
  requireOwnTemporal(config.DATA_DIR);
  const postgres = await openPostgres(config);
  const pool = openPool({ connectionString: postgres.url, max: 3 });
  try {
    const done = await withAdvisoryLock(pool, LOCK, () =>
      copyAll(pool, config, folder, { docent, passphrase }),
    );
    if (!done) throw new CommandFailure('Another backup of this data folder is running.');
    return done;
  } finally {
    await pool.end();
    await postgres.close();
  }
}

async function copyAll(
  pool: Pool,
  { DATA_DIR: dataDir, ENCRYPTION_KEY: key }: Config,
  folder: string,
  { docent, passphrase }: BackupOptions,
): Promise<BackedUp> {
  const backup = await BackupFolder.create(folder);
  try {
    const mark = new Date().toISOString();
    const stoodStillMs = await copyTemporal(join(dataDir, TEMPORAL_FILE), backup);
    const postgres = await copyPostgres(pool, dataDir, backup);
    const damaged = await copyRepositories(dataDir, backup);
    await backup.file(demoEnvPath(dataDir), 'demo.env');
    const ofFolder = readEncryptionKey(dataDir);
    const found = key !== undefined && key !== ofFolder ? 'setting' : ofFolder && 'file';
    const sealed = key ?? ofFolder;
    const isSealed = sealed !== undefined && passphrase !== undefined;
    if (isSealed) await backup.text(SEALED_KEY, sealKey(passphrase, sealed));
    const encryptionKey = isSealed ? 'sealed' : found;
    const finished = new Date().toISOString();
    const manifest = await backup.finish({
      ...{ docent, mark, finished, ...postgres },
      ...(encryptionKey && { encryptionKey }),
    });
    return { manifest, stoodStillMs, damaged };
  } catch (error) {
    await backup.discard();
    throw error;
  }
}

/** Throws if the running `docent start` was given a Temporal of another's. */
function requireOwnTemporal(dataDir: string): void {
  const running = findRunning(dataDir);
  if (running && readDemoEnv(dataDir).EMBEDDED_TEMPORAL !== running.temporalAddress)
    throw notItsOwn(dataDir, 'Temporal');
}

function notItsOwn(dataDir: string, service: string): CommandFailure {
  return new CommandFailure(
    `Docent on ${dataDir} uses a ${service} that it does not run itself: back that up with its ` +
      'own tools, in the order that the page "Back up and restore" names.',
    EXIT.usage,
  );
}

async function copyPostgres(
  pool: Pool,
  dataDir: string,
  backup: BackupFolder,
): Promise<Pick<Manifest, 'migration' | 'postgres'>> {
  const home = await realpath(join(dataDir, POSTGRES_FOLDER));
  const connection = await pool.connect();
  // A connection that dies while it is checked out reports here; the query in flight rejects, too.
  connection.on('error', () => undefined);
  try {
    const folder = await realpath((await clusterFolder(connection)) ?? '/').catch(() => undefined);
    if (folder !== join(home, 'cluster')) throw notItsOwn(dataDir, 'Postgres');
    await copyCluster(connection, home, backup);
    return {
      migration: (await newestMigration(connection)) ?? '',
      postgres: (await readFile(join(home, 'cluster', 'PG_VERSION'), 'utf8')).trim(),
    };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
      `Postgres could not be copied (${(error as Error).message}): try again.`,
    );
  } finally {
    // Its end lets Postgres remove the log that was kept for the copy.
    connection.release(true);
  }
}

/** What a copy must not have, or Postgres makes again; as pg_basebackup leaves it out. */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|backup_label.*|tablespace_map.*|current_logfiles.*)$|(?:^|\/)pgsql_tmp|(?:^|\/)pg_internal\.init/;
/** Only the folders themselves. */
const LEFT_EMPTY =
  /^(?:pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|pg_wal)\/$/;
/** Copied last, so that it is not older than the files that it describes. */
const CONTROL = 'global/pg_control';
const LOG_FILE = /^[0-9A-F]{24}$/;

/**
 * Copies the cluster's files while it runs. What had been committed when this returns is in the
 * copy: the write-ahead log that was written meanwhile makes the files whole.
 */
async function copyCluster(db: Connection, home: string, backup: BackupFolder): Promise<void> {
  const cluster = join(home, 'cluster');
  const first = await beginClusterBackup(db);
  await backup.folder('postgres');
  await backup.tree(
    cluster,
    'postgres/cluster',
    path => path === CONTROL || LEFT_OUT.test(path) || LEFT_EMPTY.test(path),
  );
  await backup.file(join(cluster, CONTROL), `postgres/cluster/${CONTROL}`);
  const { label, lastLogFile } = await endClusterBackup(db);
  await backup.text('postgres/cluster/backup_label', label);
  for (const name of await readdir(join(cluster, 'pg_wal'))) {
    const isNeeded = LOG_FILE.test(name) && name >= first && name <= lastLogFile;
    if (isNeeded || name.endsWith('.history'))
      await backup.file(join(cluster, 'pg_wal', name), `postgres/cluster/pg_wal/${name}`);
  }
  await backup.file(join(home, 'password'), 'postgres/password');
}

/** What a running push has not finished. */
const UNFINISHED = /\.lock$|^objects\/(?:.*\/)?(?:tmp_|incoming-)/;

/**
 * Copies the repositories of the built-in host while jobs push to them; returns the names of those
 * whose copy lacks objects, since the repository itself does.
 *
 * Refs come first: git adds objects before the refs that need them, and nothing here removes any.
 * Loose refs come before packed ones, so that one that is packed meanwhile is in either.
 */
async function copyRepositories(dataDir: string, backup: BackupFolder): Promise<string[]> {
  const folder = join(dataDir, 'repositories');
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  await backup.folder('repositories');
  const damaged: string[] = [];
  for (const name of names.filter(each => each.endsWith('.git'))) {
    const [from, path] = [join(folder, name), `repositories/${name}`];
    await backup.folder(path);
    await backup.tree(join(from, 'refs'), `${path}/refs`, ref => ref.endsWith('.lock'));
    await backup.file(join(from, 'packed-refs'), `${path}/packed-refs`);
    await backup.tree(
      from,
      path,
      relative => /^(?:refs|packed-refs)$/.test(relative) || UNFINISHED.test(relative),
    );
    if (!(await isWhole(backup.at(path)))) damaged.push(name);
  }
  return damaged;
}

/** Whether it has every object that its refs need. */
async function isWhole(repository: string): Promise<boolean> {
  try {
    await git(['--git-dir', repository, 'fsck', '--connectivity-only', '--no-dangling']);
    return true;
  } catch (error) {
    if (error instanceof GitCommandError) return false;
    throw error;
  }
}
