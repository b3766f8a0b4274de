import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteSource } from '../../kinds/source.ts';
import type { SiteSource } from '../../kinds/site-kind.ts';
import { linkedPaths } from '../../linked-paths.ts';
import { CannotCheck } from '../check-options.ts';
import { git } from '../folder-source.ts';

/** A checkout as it was where its branch began. */
export interface Base {
  source: SiteSource;
  /** Files that are new or otherwise today. */
  changed: ReadonlySet<string>;
  /** Whether a file of then has gone or has another name. */
  hasLost: boolean;
}

/**
 * The files of a checkout as they were where its branch left `ref`. Those that did not change are
 * read from disk. Throws `CannotCheck` if git does not know.
 */
export function baseOf(folder: string, ref: string): Base {
  const base = commitOf(folder, ref);
  const listed = listedBy(folder, ['ls-tree', '-r', '-z', base]);
  const paths: string[] = [];
  const links = new Map<string, string>();
  const textOf = (path: string) => git(folder, ['show', `${base}:./${path}`]);
  for (const entry of listed) {
    const tab = entry.indexOf('\t');
    const [about, path] = [entry.slice(0, tab), entry.slice(tab + 1)];
    if (about.startsWith('120000')) links.set(path, textOf(path) ?? '');
    else if (about.includes(' blob ')) paths.push(path);
  }
  const diff = ['diff', '--name-only', '-z', '--no-renames', '--relative', '--no-ext-diff', base];
  const untracked = ['ls-files', '-z', '--others', '--exclude-standard'];
  const changed = new Set([...listedBy(folder, diff), ...listedBy(folder, untracked)]);
  const linked = linkedPaths(paths, links);
  const source = siteSource([...paths, ...linked.keys()], path => {
    const file = linked.get(path) ?? path;
    return changed.has(file) ? textOf(file) : readFileSync(join(folder, file), 'utf8');
  });
  return { source, changed, hasLost: [...changed].some(path => !existsSync(join(folder, path))) };
}

function commitOf(folder: string, ref: string): string {
  const verified = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const commit = git(folder, verified)?.trim();
  if (commit === undefined)
    throw new CannotCheck(
      `git knows no branch or commit ${ref} here. In CI, fetch it: "fetch-depth: 0" of actions/checkout does.`,
    );
  const base = git(folder, ['merge-base', commit, 'HEAD'])?.trim();
  if (base === undefined)
    throw new CannotCheck(
      `git finds no commit that HEAD and ${ref} share. A shallow clone has none: fetch more of it.`,
    );
  return base;
}

/** A list that git cannot make is not an empty one: nothing would seem to have changed. */
function listedBy(folder: string, args: readonly string[]): string[] {
  const listed = git(folder, args);
  if (listed === undefined)
    throw new CannotCheck(`git cannot say what has changed: "git ${args[0]}" fails here.`);
  return listed.split('\0').filter(line => line !== '');
}
