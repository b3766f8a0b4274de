import type { Node } from 'jsonc-parser';
import {
  folderTitle,
  metaFilesOf,
  metaName,
  type MetaList,
  parseMeta,
} from '../../../sites/kinds/folder/meta-files.ts';
import { below, folderOf, joinPath } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { editLists, type EntryEdit } from '../entry-lists/edit-lists.ts';
import type { EntryList, ListEntry, ListStyle } from '../entry-lists/entry-list.ts';
import { applyEdits } from '../entry-lists/text-edits.ts';
import type { NavigationChange } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';

/** Edits the lists that files of folders contain: Fumadocs' `meta.json`, Nextra's `_meta.json`. */
export function editMetaFiles(source: SiteSource, site: Site, edit: EntryEdit): NavigationChange {
  if (edit.kind === 'add-group')
    return { refused: 'A group is a folder here: create its pages in a folder of their own.' };
  const lists = metaFilesOf(site).map(file => metaEntryList(source, site, file));
  const change = editOpened(source, lists, edit);
  if ('refused' in change) return change;
  const files = new Map(
    [...change.files].map(([file, text]) => [file, closed(text, file, source.read(file) ?? '')]),
  );
  return { ...change, files };
}

function editOpened(
  source: SiteSource,
  lists: readonly EntryList[],
  edit: Exclude<EntryEdit, { kind: 'add-group' }>,
): NavigationChange {
  const titleOf = (file: string) => pageTitle(source, file);
  const inFolderOf = (page: string) =>
    lists.filter(({ file }) => folderOf(file) === folderOf(page));
  if (edit.kind === 'move-page' && folderOf(edit.from) !== folderOf(edit.to)) {
    const removed = editLists(lists, titleOf, { kind: 'remove-page', file: edit.from });
    const added = editOpened(source, lists, { kind: 'add-page', file: edit.to });
    if ('refused' in removed || 'refused' in added) return removed;
    return {
      files: new Map([...removed.files, ...added.files]),
      done: [...removed.done, ...added.done],
      left: [...removed.left, ...added.left],
    };
  }
  if (edit.kind !== 'add-page') return editLists(lists, titleOf, edit);
  const own = inFolderOf(edit.file);
  const takesRest = own.some(({ entries }) => entries.some(({ target }) => target === '...'));
  if (own.length > 0 && (edit.position || !takesRest)) return editLists(own, titleOf, edit);
  const done = ['The page is listed with its folder: it needs no entry.'];
  return own.length === 0 && edit.position
    ? { refused: 'No file lists the pages of its folder, so that it has no place in a list.' }
    : { files: new Map(), done, left: [] };
}

/** The list of a file, with a line and a comma for each entry. */
function metaEntryList(source: SiteSource, site: Site, file: string): EntryList {
  const text = opened(source.read(file) ?? '', file);
  const parsed = parseMeta(text, file);
  const folder = folderOf(file);
  const isObject = parsed?.list.type === 'object';
  const last = (parsed?.list.offset ?? 0) + (parsed?.list.length ?? 0);
  return {
    ...{ file, text, style: styleOf(source, folder, isObject) },
    crumbs: crumbsOf(source, site, folder),
    entries: (parsed?.entries ?? []).map(entry => entryOf(source, folder, text, entry)),
    empty: { at: text.lastIndexOf('\n', last) + 1, prefix: '  ' },
  };
}

function entryOf(
  source: SiteSource,
  folder: string,
  text: string,
  { name, item, key, value }: MetaList['entries'][number],
): ListEntry {
  const start = text.lastIndexOf('\n', item.offset) + 1;
  const end = text.indexOf('\n', endOf(item)) + 1 || text.length;
  const file = ['mdx', 'md']
    .map(ending => joinPath(folder, `${name}.${ending}`))
    .find(one => one !== undefined && source.has(one));
  const title = value?.type === 'string' ? String(value.value) : null;
  const separator = /^---.+---$/.test(name) ? name.slice(3, -3) : null;
  return {
    ...{ title: title ?? separator, target: name, span: [start, end] },
    ...(title !== null && value && { titleAt: [value.offset, endOf(value)] as const }),
    ...(separator !== null && { titleAt: [key.offset + 4, endOf(key) - 4] as const }),
    ...(file !== undefined && { file, targetAt: [key.offset, endOf(key)] as const }),
  };
}

function styleOf(source: SiteSource, folder: string, isObject: boolean): ListStyle {
  const name = (file: string) => JSON.stringify(metaName(below(folder, file) ?? file));
  const shown = (file: string) => pageTitle(source, file) ?? metaName(file);
  return {
    entry: (file, title) =>
      isObject ? `${name(file)}: ${JSON.stringify(title ?? shown(file))},` : `${name(file)},`,
    group: () => null,
    title: (title, written) =>
      written.startsWith('"') ? JSON.stringify(title) : JSON.stringify(title).slice(1, -1),
    target: name,
    deeper: () => null,
  };
}

function crumbsOf(source: SiteSource, site: Site, folder: string): string[] {
  const tops = metaFilesOf(site).map(folderOf);
  const isInside = tops.some(one => one !== folder && below(one, folder) !== undefined);
  if (!isInside) return [];
  const above = crumbsOf(source, site, folderOf(folder));
  return [...above, folderTitle(source, folder, site.generator ?? '')];
}

/** Each entry on a line of its own, with a comma at its end. */
function opened(text: string, file: string): string {
  const list = parseMeta(text, file)?.list;
  const items = list?.children ?? [];
  if (!list) return text;
  const [open = '[', close = ']'] = list.type === 'object' ? '{}' : '[]';
  const [indent] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', list.offset) + 1)) ?? [''];
  const inner = indentOf(text, items) ?? `${indent}  `;
  const lines = items.map(item => `${inner}${text.slice(item.offset, endOf(item))},\n`);
  return replaced(text, list, `${open}\n${lines.join('')}${indent}${close}`);
}

/** The list as it was laid out before, with the entries that it has now. */
function closed(text: string, file: string, before: string): string {
  const [list, old] = [text, before].map(one => parseMeta(one, file)?.list);
  if (!list || !old) return text;
  const items = (list.children ?? []).map(item => text.slice(item.offset, endOf(item)));
  const [open = '[', close = ']'] = list.type === 'object' ? '{}' : '[]';
  if (!before.slice(old.offset, endOf(old)).includes('\n')) {
    const space = list.type === 'object' ? ' ' : '';
    return replaced(text, list, `${open}${space}${items.join(', ')}${space}${close}`);
  }
  const last = list.children?.at(-1);
  if (!last) return replaced(text, list, open + close);
  const end = endOf(last);
  return text.slice(0, end) + text.slice(end).replace(',', '');
}

function indentOf(text: string, [first]: readonly Node[]): string | undefined {
  return first && /\n([ \t]*)$/.exec(text.slice(0, first.offset))?.[1];
}

function replaced(text: string, node: Node, written: string): string {
  return applyEdits(text, [{ start: node.offset, end: endOf(node), text: written }]);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
