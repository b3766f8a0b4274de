import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isProcess } from '../embedded/process.ts';
import { CommandFailure } from '../output/failure.ts';
import type { BackupFolder } from './backup-folder.ts';

/**
 * Stops every thread of a process, copies files, and lets the process continue, whatever happens
 * to us meanwhile. Status 3: there is no such process; 4: it cannot be stopped; else that of `cp`.
 */
const FREEZE_AND_COPY = `
trap "" INT TERM HUP
pid=$1; target=$2; shift 2
kill -STOP "$pid" || exit 3
tries=0
until states=$(cat /proc/"$pid"/task/*/status 2>/dev/null | grep ^State: || ps -o state= -p "$pid") &&
  ! printf '%s\\n' "$states" | sed 's/^State:[[:space:]]*//' | grep -qv '^T'; do
  tries=$((tries+1))
  [ $tries -lt 250 ] || { kill -CONT "$pid"; exit 4; }
  sleep 0.02
done
cp "$@" "$target"; status=$?
kill -CONT "$pid"
exit $status`;

const COPY = 'backup-';

/**
 * Copies the file of Temporal's development server, with its write-ahead log, as of one moment. If
 * the server runs, it stands still meanwhile: the copy is then what a power cut would leave, and
 * SQLite makes it whole when it opens it. Returns for how long it stood still, in milliseconds.
 */
export async function copyTemporal(databaseFile: string, backup: BackupFolder): Promise<number> {
  await backup.folder('temporal');
  const pid = Number(await readFile(`${databaseFile}.pid`, 'utf8').catch(() => ''));
  if (!isProcess(pid, databaseFile)) {
    for (const file of await filesOf(databaseFile))
      await backup.file(file, `temporal/${basename(file)}`);
    return 0;
  }
  const folder = dirname(databaseFile);
  await removeLeft(folder);
  // Beside it first: the backup may be on a slow disk, and the server waits.
  const near = await mkdtemp(join(folder, COPY));
  try {
    const began = Date.now();
    await freezeAndCopy(pid, await filesOf(databaseFile), near);
    const stoodStill = Date.now() - began;
    if (!isProcess(pid, databaseFile))
      throw new CommandFailure('Temporal ended during the backup: try again.');
    for (const name of await readdir(near)) await backup.file(join(near, name), `temporal/${name}`);
    return stoodStill;
  } finally {
    await rm(near, { recursive: true, force: true });
  }
}

/** The database and its log; not the shared memory, which SQLite makes again. */
async function filesOf(databaseFile: string): Promise<string[]> {
  const log = `${databaseFile}-wal`;
  const hasLog = await stat(log).then(
    () => true,
    () => false,
  );
  return hasLog ? [databaseFile, log] : [databaseFile];
}

async function freezeAndCopy(pid: number, files: string[], target: string): Promise<void> {
  const shell = spawn(
    '/bin/sh',
    ['-c', FREEZE_AND_COPY, 'docent-backup', String(pid), target, ...files],
    {
      cwd: '/',
      detached: true, // Ctrl-C must not leave the server standing still
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' },
    },
  );
  let said = '';
  shell.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    shell.once('error', reject);
    shell.once('close', resolve);
  });
  if (status !== 0)
    throw new CommandFailure(`Temporal’s file could not be copied: ${said.trim() || status}.`);
}

/** What a backup that was killed has left. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(COPY)) await rm(join(folder, name), { recursive: true, force: true });
}
