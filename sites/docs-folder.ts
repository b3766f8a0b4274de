import { isAsidePath } from './kinds/aside.ts';
import { KINDS } from './kinds/registry.ts';

/**
 * Where a repository's pages are, judged by its paths alone: the folder of the navigation file;
 * else where the usual folder of a generator's pages is; else `docs`, if there is one; else the
 * root ('').
 */
export function docsFolderOf(paths: readonly string[]): string {
  const navigation = paths
    .filter(path => /(^|\/)(docs|mint)\.json$/.test(path))
    .toSorted((a, b) => a.split('/').length - b.split('/').length)[0];
  if (navigation !== undefined) return navigation.split('/').slice(0, -1).join('/');
  const generated = generatedFolder(paths);
  if (generated !== undefined) return generated;
  return paths.some(path => path.startsWith('docs/')) ? 'docs' : '';
}

/** The pages of the generator that lies highest; examples and tests do not count. */
function generatedFolder(paths: readonly string[]): string | undefined {
  const candidates = paths.flatMap(path => {
    const folder = isAsidePath(path) ? undefined : pagesOf(path);
    return folder === undefined ? [] : [{ depth: path.split('/').length, folder }];
  });
  return candidates
    .toSorted((a, b) => a.depth - b.depth)
    .find(({ folder }) => holdsPages(paths, folder))?.folder;
}

function pagesOf(path: string): string | undefined {
  return KINDS.find(({ marker }) => marker?.test(path))?.usualPages?.(path);
}

function holdsPages(paths: readonly string[], folder: string): boolean {
  const prefix = folder === '' ? '' : `${folder}/`;
  return paths.some(path => path.startsWith(prefix) && /\.(?:mdx?|mdoc|rst)$/.test(path));
}
