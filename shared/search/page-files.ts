import { candidateFiles, sitePath } from '../site/page-path.ts';
import type { TreeEntry } from '../workspace.ts';

/** Larger files are data, not pages. */
const LARGEST = 2 * 1024 * 1024;
/**
 * What an index of Postgres holds of a page must fit in 2,700 bytes, whatever a repository brings.
 */
const LONGEST_PATH = 500;

/** The files of a docs folder that are pages, one for each site path: file to path. */
export function pageFiles(
  entries: ReadonlyMap<string, Pick<TreeEntry, 'mode' | 'size'>>,
  docsFolder: string,
): Map<string, string> {
  const pages = new Map<string, string>();
  for (const [file, { mode, size }] of entries) {
    const path = sitePath(docsFolder, file);
    const regular = mode === '100644' || mode === '100755';
    if (
      path === undefined ||
      !regular ||
      size > LARGEST ||
      path.length > LONGEST_PATH ||
      !isPublished(path)
    )
      continue;
    // Two files may claim a path (install.mdx, install/index.md): the one that links lead to is the
    // page.
    if (candidateFiles(docsFolder, path).find(candidate => entries.has(candidate)) === file)
      pages.set(file, path);
  }
  return pages;
}

/**
 * Snippets are parts of pages, names with a dot or an underscore are the platform's own, and
 * instruction files are ours.
 */
function isPublished(path: string): boolean {
  return !/\/(?:[._]|(?:snippets|node_modules)\/)|\/(?:AGENTS|ASSISTANT)$/.test(path);
}
