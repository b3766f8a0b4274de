import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltKind, type Generator, GENERATORS } from './packages.ts';

const run = promisify(execFile);
const LIMITS = { timeout: 600_000, maxBuffer: 50_000_000 };

/**
 * Installs the generator of a kind once and returns its folder, which is outside the repository.
 * Another set of versions gets another folder.
 */
export async function installGenerator(kind: BuiltKind): Promise<string> {
  return installPackages(kind, GENERATORS[kind]);
}

/** The same for tools of another kind. */
export async function installPackages(name: string, wanted: Generator): Promise<string> {
  const version = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 8);
  const folder = join(cacheFolder(), `${name}-${version}`);
  if (existsSync(join(folder, 'installed'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await (wanted.from === 'npm' ? installNpm : installPip)(folder, wanted.packages);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Error(`The generator of ${name} cannot be installed: ${detail}`, { cause: error });
  }
  writeFileSync(join(folder, 'installed'), '');
  return folder;
}

function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'docent', 'generators');
}

async function installNpm(folder: string, packages: Record<string, string>): Promise<void> {
  const manifest = { name: 'generator', private: true, dependencies: packages };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...quiet], { cwd: folder, ...LIMITS });
}

async function installPip(folder: string, packages: Record<string, string>): Promise<void> {
  await run('python3', ['-m', 'venv', join(folder, 'venv')], LIMITS);
  const wanted = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  const pip = join(folder, 'venv', 'bin', 'pip');
  await run(pip, ['install', '--quiet', '--disable-pip-version-check', ...wanted], LIMITS);
}
