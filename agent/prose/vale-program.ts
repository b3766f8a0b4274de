import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The first version that the checks were tried with; another major one may print otherwise. */
const LEAST = [3, 22] as const;
const HOW =
  'Install Vale 3.22 or a newer 3.x where Docent runs, or set VALE_PATH to its program; see ' +
  '"Prose checks with Vale" in the docs.';
/** A program that is not there may be installed at any time. */
const ASK_AGAIN_MS = 60_000;

export type ValeProgram = { path: string; version: string } | { missing: string };

const known = new Map<string, { found: Promise<ValeProgram>; until: number }>();

/** The program at `configured`, else the one of the search path. Its version is asked once. */
export function findVale(configured: string | undefined): Promise<ValeProgram> {
  const key = configured ?? '';
  const before = known.get(key);
  if (before && before.until > Date.now()) return before.found;
  const found = find(configured);
  const entry = { found, until: Infinity };
  known.set(key, entry);
  void found.then(program => {
    if ('missing' in program) entry.until = Date.now() + ASK_AGAIN_MS;
  });
  return found;
}

async function find(configured: string | undefined): Promise<ValeProgram> {
  const path = configured ?? (await onSearchPath());
  if (path === undefined) return { missing: `Vale is not installed. ${HOW}` };
  // As it runs for a check: without a search path, which a wrapper of a package needs.
  const output = await run(path, ['--version'], { env: {}, timeout: 10_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  if (output === undefined)
    return { missing: `${path} does not run by itself, as the program of Vale does. ${HOW}` };
  const [version, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(output) ?? [];
  const isKnown = Number(major) === LEAST[0] && Number(minor) >= LEAST[1];
  return isKnown && version !== undefined
    ? { path, version }
    : { missing: `${path} is not a version that is known ("${output.slice(0, 60)}"). ${HOW}` };
}

async function onSearchPath(): Promise<string | undefined> {
  return run('/bin/sh', ['-c', 'command -v vale']).then(
    ({ stdout }) => (stdout.startsWith('/') ? stdout.trim() : undefined),
    () => undefined,
  );
}
