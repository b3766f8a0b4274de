import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beginClusterBackup, endClusterBackup } from '../../db/cluster-backup.ts';
import type { Connection } from '../../db/pool.ts';
import type { BackupFolder } from './backup-folder.ts';

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
export async function copyCluster(
  db: Connection,
  home: string,
  backup: BackupFolder,
): Promise<void> {
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
