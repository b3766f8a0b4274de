import { folderOf, joinPath } from './kinds/paths.ts';
import { isAsidePath } from './kinds/aside.ts';

/** Marker of a generator, and where its pages are, seen from the folder of the marker. */
const GENERATORS: readonly [marker: RegExp, pages: string][] = [
  [/^docusaurus\.config\.[cm]?[jt]s$/, 'docs'],
  [/^mkdocs\.ya?ml$/, 'docs'],
  [/^astro\.config\.[cm]?[jt]s$/, 'src/content/docs'],
  [/^book\.toml$/, 'src'],
  [/^hugo\.(?:toml|ya?ml|json)$/, 'content'],
  [/^conf\.py$/, '.'],
];

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
  const root = folderOf(path);
  if (/(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/.test(path))
    return path.replace(/(?:^|\/)\.vitepress\/.*$/, '');
  const name = path.slice(root === '' ? 0 : root.length + 1);
  const found = GENERATORS.find(([marker]) => marker.test(name));
  return found && joinPath(root, found[1]);
}

function holdsPages(paths: readonly string[], folder: string): boolean {
  const prefix = folder === '' ? '' : `${folder}/`;
  return paths.some(path => path.startsWith(prefix) && /\.(?:mdx?|mdoc|rst)$/.test(path));
}
