import { IMAGES } from '../../shared/images/image-type.ts';
import { keptWith } from '../kept-with.ts';
import type { Snapshot } from '../../shared/workspace.ts';

/** Pages of every kind of site. */
const PAGES = ['md', 'mdx', 'markdown'];
/** Pages where the site has such pages already: only then something publishes them. */
const PAGES_IF_USED = ['rst', 'mdoc'];
/** Files that pages offer or play, where the site has such files already. */
const FILES_IF_USED: Readonly<Record<string, RegExp>> = {
  pdf: /^%PDF-/,
  mp4: /^[^]{4}ftyp/,
  webm: /^\x1a\x45\xdf\xa3/,
};

export type FileType = 'page' | 'svg' | 'binary' | 'navigation' | undefined;

/**
 * What a file of the docs folder is by its name; undefined where it is none of what a job may
 * write.
 */
export function fileType(path: string, snapshot: Snapshot, docsFolder: string): FileType {
  const extension = extensionOf(path);
  const used = usedExtensions(snapshot, docsFolder);
  if (isNavigationName(path)) return 'navigation';
  if (PAGES.includes(extension)) return 'page';
  if (PAGES_IF_USED.includes(extension)) return used.has(extension) ? 'page' : undefined;
  if (extension === 'svg') return 'svg';
  if (extension in IMAGES) return 'binary';
  if (extension in FILES_IF_USED) return used.has(extension) ? 'binary' : undefined;
  // Parts of a docs.json live in files of any name.
  return extension === 'json' && snapshot.entries.has(path) ? 'navigation' : undefined;
}

/** The endings of the files that a job may write in the docs folder, as people write them. */
export function writableEndings(
  snapshot: Snapshot,
  docsFolder: string,
): { pages: string[]; others: string[] } {
  const used = usedExtensions(snapshot, docsFolder);
  const dotted = (extensions: string[]) => extensions.map(extension => `.${extension}`);
  return {
    pages: dotted([...PAGES, ...PAGES_IF_USED.filter(extension => used.has(extension))]),
    others: dotted([
      ...Object.keys(IMAGES),
      'svg',
      ...Object.keys(FILES_IF_USED).filter(extension => used.has(extension)),
    ]),
  };
}

/** Whether the bytes are what the name says. */
export function isOfItsType(path: string, content: Buffer): boolean {
  const extension = extensionOf(path);
  const start = IMAGES[extension] ?? FILES_IF_USED[extension];
  return start?.test(content.subarray(0, 16).toString('latin1')) ?? false;
}

/**
 * Files that some generator keeps its navigation or redirects in. A name only lets them be asked
 * about: whether they are navigation, and what may change in them, the site's kind says.
 */
const NAVIGATION_NAMES = new RegExp(
  '(?:^|/)(?:(?:docs|mint)\\.json|mkdocs\\.ya?ml|docusaurus\\.config\\.[cm]?[jt]s|' +
    '[\\w.-]*(?:sidebar|nav|redirect)[\\w.-]*\\.(?:[cm]?[jt]s|json|ya?ml|txt)|_category_\\.(?:json|ya?ml)|' +
    'astro\\.config\\.[cm]?[jt]s|\\.vitepress/(?:[\\w.-]+/)*[\\w.-]+\\.(?:[cm]?[jt]s|json)|book\\.toml|' +
    '(?:hugo|config)\\.(?:toml|ya?ml|json)|config\\.[cm]?[jt]s|config/_default/[\\w.-]+\\.(?:toml|ya?ml|json)|' +
    '\\.pages|_redirects|conf\\.py|redirects\\.txt)$',
);

export function isNavigationName(path: string): boolean {
  return NAVIGATION_NAMES.test(path);
}

function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

const usedExtensions = keptWith((snapshot: Snapshot, docsFolder): ReadonlySet<string> => {
  const prefix = docsFolder === '' ? '' : `${docsFolder}/`;
  const used = new Set<string>();
  for (const path of snapshot.entries.keys())
    if (path.startsWith(prefix)) used.add(extensionOf(path));
  return used;
});
