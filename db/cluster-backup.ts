import type { Connection } from './pool.ts';

/** What Postgres wants written into a copy of its files, and up to where the copy needs its log. */
export interface ClusterBackupEnd {
  /** Content of the file `backup_label`. */
  label: string;
  /** Name of the last file of the write-ahead log that the copy needs. */
  lastLogFile: string;
}

/** The folder of the cluster's files, on the machine that runs it; undefined if this user may not see it. */
export async function clusterFolder(db: Connection): Promise<string | undefined> {
  const { rows } = await db.query<{ folder: string | null }>(
    `select setting as folder from pg_settings where name = 'data_directory'`,
  );
  return rows[0]?.folder ?? undefined;
}

/**
 * Prepares the cluster for a copy of its files while it runs, and keeps its write-ahead log until
 * the connection ends. Returns the name of the first log file that the copy needs.
 */
export async function beginClusterBackup(db: Connection): Promise<string> {
  await db.query(
    `select pg_create_physical_replication_slot('docent_backup_' || pg_backend_pid(), true, true)`,
  );
  const { rows } = await db.query<{ file: string }>(
    `select pg_walfile_name(pg_backup_start('docent backup', fast => true)) as file`,
  );
  return rows[0]!.file;
}

/** Ends the copy on the connection that began it. The copy is the cluster as of now. */
export async function endClusterBackup(db: Connection): Promise<ClusterBackupEnd> {
  const { rows } = await db.query<ClusterBackupEnd>(
    `select labelfile as label, pg_walfile_name(lsn) as "lastLogFile"
       from pg_backup_stop(wait_for_archive => false)`,
  );
  return rows[0]!;
}
