import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readSite } from '../../sites/kinds/registry.ts';
import { folderSource } from '../../sites/command/folder-source.ts';
import { largeSite, type LargeSiteKind, pagePath } from './pages.ts';

/** A site to measure on. */
export interface BenchSite {
  name: string;
  files: Record<string, string | Buffer>;
  docsFolder: string;
  pages: string[];
  /** Extended, for `git grep` and for the tool. */
  pattern: string;
  /** What its readers look for. */
  query: string;
}

/** Another `seed` has other texts, which no cache knows. */
export function generatedSite(kind: LargeSiteKind, count: number, seed = 0): BenchSite {
  const extension = kind === 'docs.json' ? 'mdx' : 'md';
  return {
    name: `${kind}, ${count.toLocaleString('en')} pages`,
    files: largeSite(kind, count, seed),
    docsFolder: 'docs',
    pages: Array.from({ length: count }, (_, i) => `docs/${pagePath(i)}.${extension}`),
    ...{ pattern: 'widget77', query: 'filter of the gateway' },
  };
}

/** The committed files of a checkout, as they are on disk. */
export function siteOfCheckout(folder: string): BenchSite {
  const git = ['-C', folder, 'ls-files', '--stage', '-z'];
  const paths = execFileSync('git', git, { encoding: 'utf8', maxBuffer: 100_000_000 })
    .split('\0')
    // Mode, id and stage, then the path. Links and submodules have other modes.
    .filter(entry => entry.startsWith('100'))
    .map(entry => entry.slice(entry.indexOf('\t') + 1));
  const files = Object.fromEntries(paths.map(path => [path, readFileSync(join(folder, path))]));
  const site = readSite(folderSource(folder));
  if (!site) throw new Error(`${folder} contains no docs`);
  const pages = site.pages
    .map(({ file }) => file)
    // The first page of a folder cannot move.
    .filter(path => !/^(index|README)\b/.test(basename(path)))
    .toSorted();
  return {
    name: `${site.kind} checkout, ${site.pages.length.toLocaleString('en')} pages`,
    ...{ files, docsFolder: site.docsFolder, pages },
    ...{ pattern: 'webhook', query: 'custom domain' },
  };
}

/** A page at a share of the list, and its neighbours. */
export function pageAt({ pages }: BenchSite, share: number, further = 0): string {
  return pages[(Math.floor(pages.length * share) + further) % pages.length] ?? '';
}

/** The page's new path, in its folder. */
export function movedPath(path: string): string {
  return join(dirname(path), `moved-${basename(path)}`);
}

/** An edit at the end of a page, with a link that is broken, and one that takes the link away. */
export function endEdit({ files }: BenchSite, path: string) {
  const lines = String(files[path]).replace(/\n$/, '').split('\n').length;
  const broken = 'This sentence is new, and [this link](./missing-page) is broken.';
  return {
    add: { command: 'insert', path, insert_line: lines, insert_text: `\n${broken}\n` },
    repair: { command: 'str_replace', path, old_str: broken, new_str: 'This sentence is new.' },
  };
}
