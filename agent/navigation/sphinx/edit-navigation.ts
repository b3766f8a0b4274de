import { editLists } from '../entry-lists/edit-lists.ts';
import type { ListEntry } from '../entry-lists/entry-list.ts';
import { relativePath } from '../entry-lists/markdown-list.ts';
import { applyEdits, type TextEdit } from '../entry-lists/text-edits.ts';
import type { NavigationChange, NavigationEdit, NavigationEditing } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';
import { folderOf, below, isExternal } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { toctreeLists } from './toctree-lists.ts';
import { documentPath } from '../../../sites/kinds/sphinx/config.ts';

/** Toctrees in the pages. Redirects are in conf.py, which is code: it is not edited. */
export const sphinxNavigation: NavigationEditing = {
  describe: (source, site) => {
    const files = new Set(toctreeLists(source, site).map(list => list.file));
    const shown = [...files].slice(0, 5).join(', ');
    const file = redirectsFile(source, site);
    return {
      files: file === undefined ? [] : [file],
      rule: `The navigation is in the toctrees of the pages (${shown}).`,
    };
  },
  edit(source, site, edit) {
    if (edit.kind === 'add-redirect') return noRedirect(site);
    const implied =
      edit.kind === 'add-page' && !edit.position && impliedBy(source, site, edit.file);
    if (implied) return { files: new Map(), done: [implied], left: [] };
    const lists = toctreeLists(source, site);
    if (lists.length === 0 && (edit.kind === 'move-page' || edit.kind === 'remove-page'))
      return withRedirects({ files: new Map(), done: [], left: [] }, source, site, edit);
    const change = editLists(lists, file => pageTitle(source, file), placed(edit, lists));
    return withRedirects(withOwnText(change, source, site, edit), source, site, edit);
  },
  otherChanges: (site, file, before, after) =>
    site.configFiles.includes(file) && !file.endsWith('.py')
      ? otherLines(file, before, after)
      : [`${file} is a page or code.`],
};

/** Redirects that are in a file of their own, and not in conf.py. */
function withRedirects(
  change: NavigationChange,
  source: SiteSource,
  site: Site,
  edit: NavigationEdit,
): NavigationChange {
  const file = redirectsFile(source, site);
  const text = redirected(source, site, edit);
  if ('refused' in change || file === undefined || text === undefined) return change;
  return {
    files: new Map([...change.files, [file, text]]),
    done: [...change.done, `The redirects in ${file} follow.`],
    left: change.left,
  };
}

function noRedirect(site: Site): { refused: string } {
  const file = site.configFiles[0] ?? 'conf.py';
  return { refused: `Redirects are set in ${file}, which is code and is changed by people only.` };
}

/** A toctree with `:glob:` may list the page already. */
function impliedBy(source: SiteSource, site: Site, file: string): string | undefined {
  const isListed = site.navigation.some(item => item.file === file);
  const entries = toctreeLists(source, site).flatMap(list => list.entries);
  return isListed && !entries.some(entry => entry.file === file)
    ? 'A toctree with :glob: lists the page: it needs no entry.'
    : undefined;
}

/** Without a place: into the toctree of the folder’s own page, else beside the folder’s pages. */
function placed(
  edit: Exclude<NavigationEdit, { kind: 'add-redirect' }>,
  lists: ReturnType<typeof toctreeLists>,
): Exclude<NavigationEdit, { kind: 'add-redirect' }> {
  if (edit.kind !== 'add-page' || edit.position) return edit;
  const own = lists.findLast(
    list => folderOf(list.file) === folderOf(edit.file) && /(?:^|\/)index\.\w+$/.test(list.file),
  );
  const hasSibling = lists.some(list =>
    list.entries.some(entry => folderOf(entry.file ?? '/') === folderOf(edit.file)),
  );
  return own && !hasSibling ? { ...edit, position: { group: own.crumbs, at: 'end' } } : edit;
}

/** A page that moves takes its own toctrees along: their paths count from the new place. */
function withOwnText(
  change: NavigationChange,
  source: SiteSource,
  site: Site,
  edit: NavigationEdit,
): NavigationChange {
  if ('refused' in change || edit.kind !== 'move-page') return change;
  const files = new Map(change.files);
  const own = toctreeLists(source, site).filter(list => list.file === edit.from);
  const edits = own.flatMap(({ entries }) => entries.flatMap(one => relocated(one, edit.to)));
  if (edits.length > 0) files.set(edit.to, applyEdits(source.read(edit.from) ?? '', edits));
  const left = [...change.left];
  if (edit.redirect && site.redirects.length > 0 && redirectsFile(source, site) === undefined)
    left.push(`${site.configFiles[0] ?? 'conf.py'} has the redirects and is code: none was added`);
  return { ...change, files, left };
}

function relocated({ file, target, targetAt }: ListEntry, to: string): TextEdit[] {
  if (file === undefined || !targetAt || target === null || target.startsWith('/')) return [];
  const path = relativePath(folderOf(to), file);
  const text = /\.\w+$/.test(target) ? path : path.replace(/\.\w+$/, '');
  return [{ start: targetAt[0], end: targetAt[1], text }];
}

/** `"old" "new"`, with or without quotes. */
const PAIR = /^(\s*"?)([^"\s#]+)("?\s+"?)([^"\s]+)("?\s*)$/;

/** The file of `rediraffe_redirects`; in conf.py itself they are code. */
function redirectsFile(source: SiteSource, site: Site): string | undefined {
  return site.configFiles.find(file => !file.endsWith('.py') && source.has(file));
}

/** Its text with the redirects that a move or a deletion needs; undefined if nothing changes. */
function redirected(source: SiteSource, site: Site, edit: NavigationEdit): string | undefined {
  const file = redirectsFile(source, site);
  if (file === undefined || (edit.kind !== 'move-page' && edit.kind !== 'remove-page'))
    return undefined;
  const gone = edit.kind === 'move-page' ? edit.from : edit.file;
  const fresh = edit.kind === 'move-page' ? edit.to : edit.redirectTo;
  const old = site.pages.find(page => page.file === gone);
  if (!old || (fresh !== undefined && isExternal(fresh))) return undefined;
  const text = source.read(file) ?? '';
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/).flatMap(line => {
    const [, lead = '', from = '', gap = '', to, end = ''] = PAIR.exec(line) ?? [];
    if (to === undefined || documentPath(to) !== old.path) return line;
    return fresh === undefined ? [] : lead + from + gap + writtenLike(to, fresh, site) + end;
  });
  const isNew = edit.kind === 'remove-page' || edit.redirect;
  if (fresh !== undefined && isNew) {
    const last = lines.findLastIndex(line => PAIR.test(line));
    const [, lead = '"', , gap = '" "', to = 'x.md', end = '"'] =
      PAIR.exec(lines[last] ?? '') ?? [];
    const pair = lead + writtenLike(to, gone, site) + gap + writtenLike(to, fresh, site) + end;
    lines.splice(last < 0 ? 0 : last + 1, 0, pair);
  }
  const result = lines.join(lineEnd);
  return result === text ? undefined : result;
}

/** A document as the file names others: with or without the ending of its file. */
function writtenLike(model: string, file: string, { docsFolder }: Site): string {
  const path = below(docsFolder, file) ?? file;
  if (/\.html$/.test(model)) return path.replace(/\.\w+$/, '.html');
  return /\.\w+$/.test(model) ? path : path.replace(/\.\w+$/, '');
}

/** New lines that do not redirect within the site. */
function otherLines(file: string, before: string, after: string): string[] {
  const known = new Set(before.split(/\r?\n/));
  return after.split(/\r?\n/).flatMap((line, index) => {
    if (known.has(line) || line.trim() === '') return [];
    const [, , from = '', , to = ''] = PAIR.exec(line) ?? [];
    const isOwn = [from, to].every(one => /^[\w./-]+$/.test(one) && !/^\/\//.test(one));
    return isOwn ? [] : [`${file}:${index + 1} is not a redirect within the site.`];
  });
}
