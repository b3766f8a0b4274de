import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { gitIgnore } from '../gitignore.ts';
import { below } from '../kinds/paths.ts';
import type { SiteSource } from '../kinds/site-kind.ts';
import { linkedPaths } from '../linked-paths.ts';
import { siteSource } from '../kinds/source.ts';

/** Folders that hold no docs and many files. */
const SKIPPED = new Set(['node_modules', '.git', '.venv', '__pycache__']);

/**
 * Reads a folder on disk. What git ignores is left out, and so are symbolic links that lead out of
 * the folder, and `leftOut`, a folder in it.
 */
export function folderSource(folder: string, leftOut?: string): SiteSource {
  const listing = new Listing(folder);
  const tracked = gitPaths(folder);
  if (tracked === undefined) listing.addFolder('', []);
  else for (const path of tracked) listing.add(path);
  const linked = linkedPaths(listing.paths, listing.links);
  const paths = [...listing.paths, ...linked.keys()];
  return siteSource(
    leftOut === undefined ? paths : paths.filter(path => below(leftOut, path) === undefined),
    path => readFileSync(join(folder, linked.get(path) ?? path), 'utf8'),
  );
}

interface Rules {
  folder: string;
  isIgnored(path: string): boolean;
}

class Listing {
  readonly paths: string[] = [];
  readonly links = new Map<string, string>();
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** What git lists: a file, a link, or a repository within this one. */
  add(path: string): void {
    if (path.split('/').some(part => SKIPPED.has(part))) return;
    const found = this.#statOf(path);
    if (found?.isFile()) this.paths.push(path);
    else if (found?.isSymbolicLink()) this.links.set(path, readlinkSync(this.#at(path)));
    else if (found?.isDirectory()) this.addFolder(path, []);
  }

  addFolder(folder: string, above: readonly Rules[]): void {
    const rules = [...above, ...this.#rulesIn(folder)];
    for (const entry of readdirSync(this.#at(folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (SKIPPED.has(entry.name) || isIgnored(rules, path, isFolder)) continue;
      if (isFolder) this.addFolder(path, rules);
      else if (entry.isFile()) this.paths.push(path);
      else if (entry.isSymbolicLink()) this.links.set(path, readlinkSync(this.#at(path)));
    }
  }

  #rulesIn(folder: string): Rules[] {
    const file = this.#at(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
    const lines = lstatSync(file, { throwIfNoEntry: false })?.isFile()
      ? readFileSync(file, 'utf8')
      : '';
    return lines === '' ? [] : [{ folder, isIgnored: gitIgnore(lines) }];
  }

  #statOf(path: string): Stats | undefined {
    return lstatSync(this.#at(path), { throwIfNoEntry: false });
  }

  #at(path: string): string {
    return join(this.#folder, path);
  }
}

function isIgnored(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  return rules.some(({ folder, isIgnored: matches }) =>
    matches(`${below(folder, path) ?? path}${isFolder ? '/' : ''}`),
  );
}

/**
 * The files of a checkout: those that git knows and those that it would add. Undefined where git
 * cannot tell: no checkout, no git, or a folder that it ignores as a whole.
 */
function gitPaths(folder: string): string[] | undefined {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = git(folder, args);
  const paths = listed?.split('\0').filter(path => path !== '') ?? [];
  return paths.length === 0 ? undefined : [...new Set(paths.map(path => path.replace(/\/$/, '')))];
}

/** What git prints, or undefined if it fails. No program that a repository names is run. */
export function git(folder: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(
    'git',
    ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 512 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  return status === 0 ? stdout : undefined;
}
