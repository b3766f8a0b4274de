import { decoded } from './kinds/paths.ts';

/** The files that stand for their folder: `guides/index.md` is the page `/guides`. */
const FOLDER_PAGES = ['index.mdx', 'index.md', 'README.mdx', 'README.md'];

/**
 * The site path of a repository file (`docs/guides/install.mdx` is `/guides/install`),
 * or undefined if the file is not a page or is outside the docs folder.
 * `docsFolder` is '' for the repository's root and has no slash at either end.
 */
export function sitePath(docsFolder: string, filePath: string): string | undefined {
  const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
  if (!filePath.startsWith(prefix)) return undefined;
  const match = /^(?:(.*)\/)?([^/]+)\.mdx?$/.exec(filePath.slice(prefix.length));
  if (!match) return undefined;
  const [, folder = '', name = ''] = match;
  const parts = name === 'index' || name === 'README' ? [folder] : [folder, name];
  return `/${parts.filter(part => part !== '').join('/')}`;
}

/** Every file that may hold the page at a site path, the preferred one first. */
export function candidateFiles(docsFolder: string, path: string): string[] {
  const page = cleanSitePath(path).slice(1);
  const names =
    page === ''
      ? FOLDER_PAGES
      : [`${page}.mdx`, `${page}.md`, ...FOLDER_PAGES.map(name => `${page}/${name}`)];
  return docsFolder === '' ? names : names.map(name => `${docsFolder}/${name}`);
}

/**
 * The one form of a path that people write in many: a leading slash, none at the end, without
 * query, anchor, extension or `/index`. Escapes such as `%20` are decoded; what cannot be decoded
 * stays as it is.
 */
export function cleanSitePath(path: string): string {
  const bare = decoded(path.replace(/[?#].*$/s, ''))
    .replace(/\.(?:mdx?|html)$/, '')
    .split('/')
    .filter(part => part !== '' && part !== '.');
  const last = bare.at(-1);
  if (last === 'index' || last === 'README') bare.pop();
  return `/${bare.join('/')}`;
}
