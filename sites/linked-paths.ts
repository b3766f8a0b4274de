import { folderOf, joinPath } from './kinds/paths.ts';

/** Symbolic links in the way of one path. */
const DEEPEST = 8;
/** A few links in a circle could name every file of a repository many times. */
const MOST_PATHS = 20_000;

/**
 * The files behind symbolic links: the path that leads through a link, and that of the file itself.
 * `links` has what each link says; one that leads out of the top, to a folder around it or to
 * nothing is left out, and links within a linked folder are not followed.
 */
export function linkedPaths(
  paths: readonly string[],
  links: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = new Map<string, string>();
  const files = new Set(paths);
  const sorted = paths.toSorted();
  for (const link of links.keys()) {
    const real = realPath(link, links);
    if (real === undefined || real === '' || link.startsWith(`${real}/`)) continue;
    if (files.has(real)) found.set(link, real);
    else
      for (const path of filesIn(`${real}/`, sorted)) {
        if (found.size >= MOST_PATHS) return found;
        found.set(link + path.slice(real.length), path);
      }
  }
  return found;
}

/** Of sorted paths those that begin so: the first is found by halving, the others are behind it. */
function* filesIn(beginning: string, sorted: readonly string[]): Generator<string> {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < beginning) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < sorted.length; at++) {
    const path = sorted[at] ?? '';
    if (!path.startsWith(beginning)) return;
    yield path;
  }
}

function realPath(link: string, links: ReadonlyMap<string, string>): string | undefined {
  let path = link;
  for (let i = 0; i < DEEPEST; i++) {
    const first = prefixesOf(path).find(prefix => links.has(prefix));
    if (first === undefined) return path;
    const target = links.get(first) ?? '';
    const next = target.startsWith('/')
      ? undefined
      : joinPath(folderOf(first), target, path.slice(first.length));
    if (next === undefined) return undefined;
    path = next;
  }
  return undefined;
}

/** `a`, `a/b`, `a/b/c`. */
function prefixesOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
