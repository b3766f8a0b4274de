import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { isInsideTarget } from '../../policy/targets.ts';
import { editLists } from '../entry-lists/edit-lists.ts';
import { markdownLists, relativePath } from '../entry-lists/markdown-list.ts';
import { applyEdits, insertLines, type TextEdit } from '../entry-lists/text-edits.ts';
import type { NavigationChange, NavigationEdit, NavigationEditing } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';
import { below, folderOf, isExternal } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';

/** `SUMMARY.md`, and `output.html.redirect` of `book.toml`. */
export const mdbookNavigation: NavigationEditing = {
  describe: (source, site) => ({
    files: [...site.configFiles].reverse().filter(file => source.has(file)),
    rule:
      `The navigation is the list in ${summaryOf(site)}: ` +
      'a page that it does not list is not published.',
  }),
  edit(source, site, edit) {
    const change = editChapters(source, site, edit);
    if ('refused' in change) return change;
    const redirect = redirectOf(edit, site);
    return redirect ? withRedirect(change, source, site, redirect) : change;
  },
  otherChanges: (_site, file, before, after) =>
    /\.toml$/.test(file) ? otherTomlChanges(file, before, after) : [],
};

function summaryOf(site: Site): string {
  return site.configFiles[1] ?? 'SUMMARY.md';
}

function editChapters(source: SiteSource, site: Site, edit: NavigationEdit): NavigationChange {
  if (edit.kind === 'add-redirect') return { files: new Map(), done: [], left: [] };
  const file = summaryOf(site);
  const lists = markdownLists({
    file,
    text: source.read(file) ?? '',
    crumbs: [],
    titleOfFile: page => pageTitle(source, page),
    hasParts: true,
    allowsBareLinks: true,
    allowsPlainGroups: false,
  });
  return editLists(lists, page => pageTitle(source, page), edit);
}

interface RedirectPaths {
  /** Addresses with `.html`, from the top of the book. */
  from: string;
  to: string;
}

function redirectOf(edit: NavigationEdit, site: Site): RedirectPaths | undefined {
  const html = (file: string) =>
    isExternal(file)
      ? file
      : `/${(below(site.docsFolder, file) ?? file)
          .replace(/(^|\/)README\.md$/i, '$1index.md')
          .replace(/\.md$/i, '.html')}`;
  const written = (path: string) =>
    path.startsWith('/')
      ? (site.pages.find(page => page.path === path)?.url ??
        (/\.html$/.test(path) ? path : `${path === '/' ? '/index' : path}.html`))
      : html(path);
  if (edit.kind === 'move-page' && edit.redirect)
    return { from: html(edit.from), to: html(edit.to) };
  if (edit.kind === 'remove-page' && edit.redirectTo !== undefined)
    return { from: html(edit.file), to: html(edit.redirectTo) };
  return edit.kind === 'add-redirect'
    ? { from: written(edit.from), to: written(edit.to) }
    : undefined;
}

function withRedirect(
  change: Exclude<NavigationChange, { refused: string }>,
  source: SiteSource,
  site: Site,
  { from, to }: RedirectPaths,
): NavigationChange {
  const file = site.configFiles[0] ?? 'book.toml';
  const text = addRedirect(source.read(file) ?? '', from, to);
  if (text === null) {
    const left = `${file} has no table [output.html.redirect], so none was added for ${from}`;
    return { ...change, left: [...change.left, left] };
  }
  return {
    ...change,
    files: new Map([...change.files, [file, text]]),
    done: [...change.done, `Redirect from ${from} to ${to} added in ${file}.`],
  };
}

const TABLE =
  /^[ \t]*\[[ \t]*output[ \t]*\.[ \t]*html[ \t]*\.[ \t]*redirect[ \t]*\][ \t]*(?:#.*)?$/;
const LINE = /^([ \t]*)(?:"([^"\\]*)"|'([^']*)')([ \t]*=[ \t]*)(?:"([^"\\]*)"|'([^']*)')/;

/** Writes into the table of redirects, a line an entry; null if there is no such table. */
function addRedirect(text: string, from: string, to: string): string | null {
  const lines = text.split('\n');
  const header = lines.findIndex(line => TABLE.test(line.replace(/\r$/, '')));
  if (header < 0) return null;
  const edits: TextEdit[] = [];
  let offset = lines.slice(0, header + 1).join('\n').length + 1;
  let at = offset;
  let model = { indent: '', equals: ' = ' };
  for (const line of lines.slice(header + 1)) {
    if (/^[ \t]*\[/.test(line)) break;
    const match = LINE.exec(line);
    if (match) {
      const [whole, indent = '', double, single = '', equals = ' = ', toDouble, toSingle = ''] =
        match;
      model = { indent, equals };
      at = Math.min(text.length, offset + line.length + 1);
      const key = double ?? single;
      const target = targetOf(key, toDouble ?? toSingle);
      if (key === to || key === from) edits.push({ start: offset, end: at, text: '' });
      else if (target.path === from) {
        const start = offset + whole.length - (toDouble ?? toSingle).length - 1;
        const value = target.isRooted || isExternal(to) ? to : relative(key, to);
        edits.push({ start, end: offset + whole.length - 1, text: value + target.anchor });
      }
    }
    offset += line.length + 1;
  }
  const line = `${model.indent}${JSON.stringify(from)}${model.equals}${JSON.stringify(
    isExternal(to) ? to : relative(from, to),
  )}`;
  edits.push(insertLines(text, Math.min(at, text.length), line));
  return applyEdits(text, edits);
}

/** mdBook writes targets as they are, so that a book below a path needs relative ones. */
function relative(from: string, to: string): string {
  return relativePath(folderOf(from.slice(1)), to.slice(1));
}

/** Where a redirect leads, from the top of the book. */
function targetOf(from: string, to: string): { path: string; anchor: string; isRooted: boolean } {
  const [path = '', anchor = ''] = to.split(/(?=#)/);
  if (path.startsWith('/') || isExternal(path)) return { path, anchor, isRooted: true };
  const base = new URL(from, 'https://book.invalid');
  return { path: new URL(path, base).pathname, anchor, isRooted: false };
}

/** What changes besides `output.html.redirect`. */
function otherTomlChanges(file: string, before: string, after: string): string[] {
  const [old, now] = [withoutRedirects(before), withoutRedirects(after)];
  if (!now || !old) return [`${file} cannot be read as TOML.`];
  const found =
    JSON.stringify(old.rest) === JSON.stringify(now.rest)
      ? []
      : [`${file} changes more than redirects.`];
  for (const [from, to] of Object.entries(now.redirects))
    if (old.redirects[from] !== to && !isPlainRedirect(from, to))
      found.push(`${file} redirects ${from} to another site, ${String(to)}.`);
  return found;
}

function isPlainRedirect(from: string, to: unknown): boolean {
  const path = typeof to === 'string' && !isExternal(to) ? posix.join('/', folderOf(from), to) : '';
  return isInsideTarget(from) && path !== '' && isInsideTarget(path);
}

function withoutRedirects(
  text: string,
): { rest: unknown; redirects: Record<string, unknown> } | undefined {
  try {
    const rest: Record<string, unknown> = parseToml(text);
    const html = memberOf(memberOf(rest, 'output'), 'html');
    const redirects = memberOf(html, 'redirect') ?? {};
    if (html) delete html.redirect;
    return { rest, redirects };
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): Record<string, unknown> | undefined {
  const inner =
    typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)[name]
      : undefined;
  return typeof inner === 'object' && inner !== null
    ? (inner as Record<string, unknown>)
    : undefined;
}
