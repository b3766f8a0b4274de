import { folderOf, joinPath } from '../kinds/paths.ts';

const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.tsx'];

/** The file that a relative import means; undefined for a package, and if there is no file. */
export function importedFile(
  from: string,
  specifier: string,
  has: (path: string) => boolean,
): string | undefined {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return undefined;
  const path = joinPath(folderOf(from), specifier);
  return path === undefined ? undefined : withEnding(path, has);
}

/** `./sidebars` is `sidebars.ts`; TypeScript imports its files as `.js`. */
export function withEnding(path: string, has: (path: string) => boolean): string | undefined {
  const bare = path.replace(/\.(?:[cm]?js|jsx)$/, '');
  const names = [path, ...EXTENSIONS.flatMap(one => [`${bare}${one}`, `${path}/index${one}`])];
  return names.find(has);
}
