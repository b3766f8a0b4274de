import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** A path beside this checkout, or beside the folder of worktrees that it is in; '' where it is not. */
export function besideCheckout(path: string): string {
  return ['..', '../..'].map(up => join(ROOT, up, path)).find(each => existsSync(each)) ?? '';
}

/** What a clone of this checkout would have, changes that are not committed included. */
export function copyCheckout(folder: string): void {
  const names = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  for (const name of names.split('\0')) {
    if (!name || !existsSync(join(ROOT, name))) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(ROOT, name), join(folder, name));
  }
}

/** As if `npm ci` had run there. */
export function linkPackages(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

/** The program of another release of Node. */
export function nodeRelease(major: string): string {
  const script = join(ROOT, '.ci', 'get-node.mjs');
  return execFileSync(process.execPath, [script, major], { encoding: 'utf8' }).trim();
}

/** How this machine reaches registries, whatever the home folder is, and npm's cache. */
export function registryAccess(): Record<string, string | undefined> {
  const names =
    /^(npm_config_(registry|cafile|strict_ssl)|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(https?|no)_proxy)$/i;
  const home = homedir();
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name))),
    npm_config_userconfig: join(home, '.npmrc'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(home, '.npm'),
    npm_config_prefer_offline: 'true',
  };
}
