import { posix } from 'node:path';
import { below, folderOf, withBase } from '../../sites/kinds/paths.ts';
import type { Site } from '../../sites/kinds/site-kind.ts';

export interface LinkMove {
  before: Site;
  after: Site;
  /** The page that the link is on, before and after. */
  from: string;
  to: string;
  /** What it leads to, before and after. */
  old: string;
  fresh: string;
}

/** A way to write the path of a link; undefined if the file cannot be written so. */
type Form = (site: Site, page: string, file: string) => string | undefined;

const EXTENSION = /\.(?:mdx?|markdown|mdoc|rst)$/i;
const INDEX = /(^|\/)(?:_?index|README)$/i;

/** The common ways first: forms that write the same are the same. */
const FORMS: readonly Form[] = [
  (_site, page, file) => relative(page, file),
  (_site, page, file) => relative(page, bare(file)),
  (_site, page, file) => relative(page, withoutIndex(file)),
  ({ docsFolder }, _page, file) => rooted(below(docsFolder, file)),
  ({ docsFolder }, _page, file) => rooted(below(docsFolder, bare(file))),
  ({ docsFolder }, _page, file) => rooted(below(docsFolder, withoutIndex(file))),
  (site, _page, file) => pageOf(site, file)?.path,
  (site, _page, file) => withBasePath(site, pageOf(site, file)?.path),
  (site, _page, file) => pageOf(site, file)?.url,
  (site, _page, file) => relativeAddress(site, pageOf(site, _page)?.url, pageOf(site, file)?.url),
  (site, page, file) => fromAddress(site, page, file),
  (_site, _page, file) => rooted(file),
  (_site, _page, file) => rooted(bare(file)),
  (_site, _page, file) => rooted(withoutIndex(file)),
  (site, _page, file) => aliased(site, file),
  ({ docsFolder }, _page, file) => below(docsFolder, file),
  ({ docsFolder }, _page, file) => below(docsFolder, bare(file)),
  ({ docsFolder }, _page, file) => below(docsFolder, withoutIndex(file)),
];

/** Ways to write a link to `fresh`, that in which the old one was written first. */
export function linkForms(url: string, move: LinkMove): string[] {
  const [, path = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  const plain = plainPath(path);
  const matching: string[] = [];
  const others: string[] = [];
  for (const form of FORMS) {
    const was = form(move.before, move.from, move.old);
    const now = form(move.after, move.to, move.fresh);
    if (now === undefined) continue;
    const isSame = was !== undefined && plainPath(encodeURI(was)) === plainPath(encodedOnce(plain));
    (isSame ? matching : others).push(likeOld(path, encodeURI(now)) + suffix);
  }
  const isRooted = path.startsWith('/') || path.startsWith('@');
  const similar = others.filter(one => one.startsWith('/') === isRooted);
  return [...new Set([...matching, ...similar, ...others])];
}

/** Without what may be added to any form: `./`, a slash at the end, `.html`. */
function plainPath(path: string): string {
  const plain = path.replace(/^\.\/(?=.)/, '').replace(/\.html$/, '');
  return plain.length > 1 ? plain.replace(/\/$/, '') : plain;
}

function encodedOnce(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}

function likeOld(old: string, path: string): string {
  const dotted = old.startsWith('./') && !/^[./@]/.test(path) ? `./${path}` : path;
  const html = /\.html$/.test(old) && !/\.\w+$/.test(dotted) ? `${dotted}.html` : dotted;
  if (old.length > 1 && old.endsWith('/') && !/\/$|\.\w+$/.test(html)) return `${html}/`;
  return old.length > 1 && !old.endsWith('/') && html.length > 1 ? html.replace(/\/$/, '') : html;
}

function relative(page: string, file: string): string {
  return posix.relative(folderOf(page), file) || '.';
}

function rooted(path: string | undefined): string | undefined {
  return path === undefined ? undefined : `/${path}`;
}

function aliased({ aliases = [] }: Site, file: string): string | undefined {
  return aliases
    .map(({ prefix, folder }) => [prefix, below(folder, file)])
    .find(([, path]) => path !== undefined)
    ?.join('');
}

function bare(file: string): string {
  return file.replace(EXTENSION, '');
}

function withoutIndex(file: string): string {
  return EXTENSION.test(file) ? bare(file).replace(INDEX, '') : file;
}

function pageOf(site: Site, file: string) {
  return site.pages.find(page => page.file === file);
}

function withBasePath({ basePath }: Site, path: string | undefined): string | undefined {
  return path === undefined ? undefined : withBase(basePath, path);
}

/** From one address to another, as a browser reads it: `/a/b/` is the folder of its links. */
function relativeAddress(
  _site: Site,
  from: string | undefined,
  to: string | undefined,
): string | undefined {
  if (from === undefined || to === undefined) return undefined;
  const folder = from.endsWith('/') ? from : `/${folderOf(from.slice(1))}`;
  const path = posix.relative(folder, to.replace(/\.html$/, '')) || '.';
  return to.endsWith('/') && path !== '.' ? `${path}/` : path;
}

/** Between paths without the base, for sites whose links are read so. */
function fromAddress(site: Site, page: string, file: string): string | undefined {
  const [from, to] = [pageOf(site, page), pageOf(site, file)];
  return from && to ? posix.relative(from.path, to.path) || '.' : undefined;
}
