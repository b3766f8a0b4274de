import { createHash } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { knownMigrations } from '../../db/migrate.ts';
import { CommandFailure } from '../output/failure.ts';
import { isAbsent } from './copy-file.ts';
import { CHECKSUMS, isBackupPath, MANIFEST, Manifest } from './manifest.ts';

/** A whole backup, as its lists describe it. */
export interface Backup {
  manifest: Manifest;
  /** SHA-256 by path, without manifest and checksums. */
  sums: ReadonlyMap<string, string>;
}

/**
 * Reads the lists of a backup, and compares them with the files that are there. Their contents are
 * compared as they are restored. Throws `CommandFailure`.
 */
export async function readBackup(folder: string): Promise<Backup> {
  const lines = await readFile(join(folder, CHECKSUMS), 'utf8').catch((error: unknown) => {
    if (isAbsent(error))
      throw new CommandFailure(`${folder} is not a backup, or one that was not finished.`);
    throw error;
  });
  const sums = new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map(line => [line.slice(66), line.slice(0, 64)] as const),
  );
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => '');
  if (createHash('sha256').update(text).digest('hex') !== sums.get(MANIFEST))
    throw damaged(folder, MANIFEST);
  sums.delete(MANIFEST);
  const manifest: unknown = JSON.parse(text);
  if (!Value.Check(Manifest, manifest))
    throw new CommandFailure(
      `${folder} was made by a release of Docent with another kind of backup: restore it with that.`,
    );
  const wrong = [...sums.keys(), ...manifest.folders].find(path => !isBackupPath(path));
  if (wrong !== undefined) throw damaged(folder, wrong);
  if (manifest.files !== sums.size) throw damaged(folder, CHECKSUMS);
  await compareLists(folder, sums);
  return { manifest, sums };
}

export function damaged(folder: string, path: string): CommandFailure {
  return new CommandFailure(
    `The backup ${folder} is damaged: ${path} is missing or not as it was written. ` +
      'Nothing was restored.',
  );
}

/** Throws where the backup lacks a file, or has one that it does not list. */
async function compareLists(folder: string, sums: ReadonlyMap<string, string>): Promise<void> {
  const entries: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Set(
    entries
      .filter(entry => !entry.isDirectory())
      .map(entry => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
      .filter(path => path !== CHECKSUMS && path !== MANIFEST),
  );
  const other =
    [...sums.keys()].find(path => !files.has(path)) ?? [...files].find(path => !sums.has(path));
  if (other !== undefined) throw damaged(folder, other);
}

/** Throws `CommandFailure` if this release, or its Postgres, cannot work on the backup. */
export async function requireFit({ manifest }: Backup, postgres: string): Promise<void> {
  if (!(await knownMigrations()).includes(manifest.migration))
    throw new CommandFailure(
      `The backup was made by Docent ${manifest.docent}, whose database is newer than this ` +
        `release knows (${manifest.migration}). Restore it with that release or a newer one.`,
    );
  if (manifest.postgres !== postgres)
    throw new CommandFailure(
      `The backup is of Postgres ${manifest.postgres}, and this release runs Postgres ` +
        `${postgres}: restore it with Docent ${manifest.docent}.`,
    );
}
