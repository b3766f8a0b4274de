import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SLOW } from './slow.ts';

const VERSION = '3.22.0';

/**
 * The real program, of the version that the docs name. It is built from the registry of Go modules
 * in the slow lane (two minutes, once) and kept; undefined where it never was.
 */
export function valeProgram(): string | undefined {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const folder = join(cache, 'docent', `vale-${VERSION}`);
  const program = join(folder, 'vale');
  if (existsSync(program)) return program;
  if (!SLOW) return undefined;
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'go',
    [
      'install',
      '-ldflags',
      `-s -w -X main.version=${VERSION}`,
      `github.com/vale-cli/vale/v3/cmd/vale@v${VERSION}`,
    ],
    { env: { ...process.env, GOBIN: folder }, stdio: 'inherit' },
  );
  return program;
}
