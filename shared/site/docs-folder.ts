/**
 * Where a repository's pages are, from all its paths: the folder of the navigation file; else
 * `docs`, if there is one; else the root ('').
 */
export function docsFolderOf(paths: readonly string[]): string {
  const navigation = paths
    .filter(path => /(^|\/)(docs|mint)\.json$/.test(path))
    .toSorted((a, b) => a.split('/').length - b.split('/').length)[0];
  if (navigation !== undefined) return navigation.split('/').slice(0, -1).join('/');
  return paths.some(path => path.startsWith('docs/')) ? 'docs' : '';
}
