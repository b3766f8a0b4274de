import { execFileSync } from 'node:child_process';
import { chown, mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../shared/config.ts';
import { writeEncryptionKey } from '../connect/encryption-key.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import { type PostgresHome, prepareHome } from '../embedded/postgres-home.ts';
import { findRunning, lockDataFolder, UNFINISHED_RESTORE } from '../stack/running.ts';
import { copyFile, isAbsent } from './copy-file.ts';
import { POSTGRES_FOLDER, requireEmbedded } from './embedded-stack.ts';
import type { Manifest } from './manifest.ts';
import { type Backup, damaged, readBackup, requireFit } from './read-backup.ts';
import { openKey, SEALED_KEY } from './sealed-key.ts';

export interface RestoreOptions {
  passphrase?: string;
  /** Leaves a sealed encryption key where it is. */
  withoutKey?: boolean;
  /** Is called before anything is restored. */
  onMissing?: (sentence: string) => void;
}

/**
 * Fills an empty data folder from a backup. Throws `CommandFailure` or `ConfigError`, and leaves the
 * data folder empty, if the backup is damaged or of a release that this one cannot follow.
 */
export async function restore(
  config: Config,
  folder: string,
  options: RestoreOptions = {},
): Promise<Manifest> {
  requireEmbedded(config);
  const { DATA_DIR: dataDir } = config;
  await requireEmpty(dataDir);
  const backup = await readBackup(folder);
  const key = await encryptionKey(backup, folder, config, options);
  const lock = await lockDataFolder(dataDir);
  const unfinished = join(dataDir, UNFINISHED_RESTORE);
  try {
    await writeFile(unfinished, `${folder}\n`, { mode: 0o600 });
    const home = prepareHome(join(dataDir, POSTGRES_FOLDER));
    await requireFit(backup, postgresVersion(home));
    await copyBack(backup, folder, dataDir, home);
    if (key !== undefined) writeEncryptionKey(dataDir, key);
    await rm(unfinished);
    return backup.manifest;
  } catch (error) {
    await empty(dataDir);
    throw error;
  } finally {
    lock.release();
  }
}

/** The key that the backup has for the data folder. Throws `CommandFailure` if it stays sealed. */
async function encryptionKey(
  { manifest }: Backup,
  folder: string,
  { ENCRYPTION_KEY: set }: Config,
  { passphrase, withoutKey = false, onMissing }: RestoreOptions,
): Promise<string | undefined> {
  if (manifest.encryptionKey === 'sealed' && passphrase !== undefined)
    return openKey(passphrase, await readFile(join(folder, SEALED_KEY), 'utf8'));
  if (manifest.encryptionKey === 'sealed' && !withoutKey && set === undefined)
    throw new CommandFailure(
      'The encryption key of the backup is sealed: give --passphrase-file, or ' +
        '--without-encryption-key to set again what it encrypts. Nothing was restored.',
      EXIT.usage,
    );
  if (manifest.encryptionKey !== undefined && set === undefined)
    onMissing?.(
      'Not in the backup: the encryption key. Put your copy of encryption.key into the data folder, ' +
        'or set ENCRYPTION_KEY, before "docent start": without it a GitHub App that was created ' +
        'in the dashboard must be created again.',
    );
  return undefined;
}

async function requireEmpty(dataDir: string): Promise<void> {
  const running = findRunning(dataDir);
  if (running)
    throw new CommandFailure(
      `Docent is running on ${dataDir} (process ${running.pid}). ` +
        'Stop it, and set DATA_DIR to a folder that does not exist yet.',
      EXIT.usage,
    );
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  if (names.length > 0)
    throw new CommandFailure(
      `${dataDir} is not empty. Move it away, or set DATA_DIR to a folder that does not exist yet.`,
      EXIT.usage,
    );
}

function postgresVersion({ bin, owner }: PostgresHome): string {
  const text = execFileSync(join(bin, 'postgres'), ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    ...owner,
  });
  return /(\d+)/.exec(text)?.[1] ?? '';
}

async function copyBack(
  { manifest, sums }: Backup,
  from: string,
  dataDir: string,
  home: PostgresHome,
): Promise<void> {
  const place = (path: string) => {
    if (path === 'temporal') return dataDir;
    if (path.startsWith('temporal/')) return join(dataDir, path.slice('temporal/'.length));
    if (path === POSTGRES_FOLDER || path.startsWith(`${POSTGRES_FOLDER}/`))
      return join(home.folder, path.slice(POSTGRES_FOLDER.length));
    return join(dataDir, path);
  };
  const give = async (path: string) => {
    if (home.owner && path.startsWith(`${POSTGRES_FOLDER}/`))
      await chown(place(path), home.owner.uid, home.owner.gid);
  };
  for (const path of manifest.folders) {
    await mkdir(place(path), { recursive: true, mode: 0o700 });
    await give(path);
  }
  for (const [path, sum] of sums) {
    if (path === SEALED_KEY) continue;
    const copied = await copyFile(join(from, path), place(path)).catch((error: unknown) => {
      if (isAbsent(error)) throw damaged(from, path);
      throw error;
    });
    if (copied !== sum) throw damaged(from, path);
    await give(path);
  }
}

/** As it was before. Root's Postgres may live elsewhere, behind a link. */
async function empty(dataDir: string): Promise<void> {
  const postgres = join(dataDir, POSTGRES_FOLDER);
  await rm(await realpath(postgres).catch(() => postgres), { recursive: true, force: true });
  for (const name of await readdir(dataDir))
    await rm(join(dataDir, name), { recursive: true, force: true });
}
