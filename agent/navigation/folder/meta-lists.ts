import { type Node, parse, type ParseError, visit } from 'jsonc-parser';
import {
  folderTitle,
  isInside,
  linkOf,
  metaFilesOf,
  type MetaList,
  metaName,
  metaText,
  parseMeta,
} from '../../../sites/kinds/folder/meta-files.ts';
import { overlaid } from '../../../sites/kinds/overlay.ts';
import { below, folderOf, joinPath } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { editLists, type EntryEdit } from '../entry-lists/edit-lists.ts';
import type { EntryList, ListEntry, ListStyle } from '../entry-lists/entry-list.ts';
import { applyEdits, lineEndOf } from '../entry-lists/text-edits.ts';
import type { NavigationChange } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';

/** Edits the lists that files of folders contain: Fumadocs' `meta.json`, Nextra's `_meta.json`. */
export function editMetaFiles(source: SiteSource, site: Site, edit: EntryEdit): NavigationChange {
  if (edit.kind === 'add-group')
    return { refused: 'A group is a folder here: create its pages in a folder of their own.' };
  if (edit.kind !== 'move-page' || folderOf(edit.from) === folderOf(edit.to))
    return editClosed(source, site, edit);
  const { from, to } = edit;
  const removed = editClosed(source, site, { kind: 'remove-page', file: from }, to);
  if ('refused' in removed) return removed;
  const without = overlaid(source, removed.files);
  const added = editClosed(without, site, { kind: 'add-page', file: to });
  if ('refused' in added) return removed;
  return {
    files: new Map([...removed.files, ...added.files]),
    done: [...removed.done, ...added.done],
    left: [...removed.left, ...added.left],
  };
}

type MetaEdit = Exclude<EntryEdit, { kind: 'add-group' }>;

/** `stays`: where a page goes that is taken out here. */
function editClosed(
  source: SiteSource,
  site: Site,
  edit: MetaEdit,
  stays?: string,
): NavigationChange {
  const files = metaFilesOf(site);
  const metas = {
    source,
    generator: site.generator ?? '',
    folders: new Set(files.map(folderOf)),
  };
  const lists = files.map(file => metaEntryList(metas, file));
  const change =
    edit.kind === 'remove-page'
      ? editOpened(source, withEmptied(lists, site, edit.file, stays), edit)
      : editOpened(source, lists, edit);
  if ('refused' in change) return change;
  const texts = new Map<string, string>();
  for (const [file, text] of change.files) {
    const before = source.read(file) ?? '';
    if (hasComments(before, file))
      return { refused: `${file} has comments in its list, which the edit would delete.` };
    const written = closed(text, file, before);
    const errors: ParseError[] = [];
    parse(written, errors);
    if (errors.length > 0) return { refused: `The edit would leave no valid JSON in ${file}.` };
    texts.set(file, written);
  }
  return { ...change, files: texts };
}

/** Comments in the list of a file: the edit writes the whole list without them. */
function hasComments(text: string, file: string): boolean {
  const list = parseMeta(text, file)?.list;
  let found = false;
  visit(text, {
    onComment: offset => {
      found ||= list !== undefined && offset > list.offset && offset < endOf(list);
    },
  });
  return found;
}

/** An entry of a folder whose last page goes is one of that page. */
function withEmptied(
  lists: readonly EntryList[],
  site: Site,
  file: string,
  stays?: string,
): EntryList[] {
  const others = [...site.pages.map(page => page.file), stays ?? ''].filter(one => one !== file);
  const isEmptied = (folder: string) =>
    below(folder, file) !== undefined && !others.some(one => below(folder, one) !== undefined);
  return lists.map(list => ({
    ...list,
    entries: list.entries.map(entry => {
      const path = joinPath(folderOf(list.file), entry.target?.replace(/^\.{3}(?=.)/, '') ?? '');
      const goes = entry.file === undefined && path !== undefined && isEmptied(path);
      return goes ? { ...entry, file } : entry;
    }),
  }));
}

function editOpened(
  source: SiteSource,
  lists: readonly EntryList[],
  edit: MetaEdit,
): NavigationChange {
  const titleOf = (file: string) => pageTitle(source, file);
  if (edit.kind !== 'add-page') return editLists(lists, titleOf, edit);
  const own = lists.filter(({ file }) => folderOf(file) === folderOf(edit.file));
  const takesRest = own.some(({ entries }) => entries.some(({ target }) => target === '...'));
  if (own.length > 0 && (edit.position || !takesRest)) return editLists(own, titleOf, edit);
  const done = ['The page is listed with its folder: it needs no entry.'];
  return own.length === 0 && edit.position
    ? { refused: 'No file lists the pages of its folder, so that it has no place in a list.' }
    : { files: new Map(), done, left: [] };
}

interface Metas {
  source: SiteSource;
  generator: string;
  /** Those that have a list. */
  folders: ReadonlySet<string>;
}

/** The list of a file, with a line and a comma for each entry. */
function metaEntryList(metas: Metas, file: string): EntryList {
  const text = opened(metas.source.read(file) ?? '', file);
  const parsed = parseMeta(text, file);
  const folder = folderOf(file);
  const isObject = parsed?.list.type === 'object';
  const end = parsed ? endOf(parsed.list) - 1 : 0;
  const at = text.lastIndexOf('\n', end) + 1;
  return {
    ...{ file, text, style: styleOf(metas, folder, isObject), isOfFolder: true },
    crumbs: crumbsOf(metas, folder),
    entries: (parsed?.entries ?? []).map(entry => entryOf(metas.source, folder, text, entry)),
    empty: { at, prefix: `${text.slice(at, end)}  ` },
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
  const isBelow = file !== undefined && below(folder, file) !== undefined;
  return {
    ...{ title: title ?? separator ?? linkOf(name)?.label ?? null },
    ...{ target: name, span: [start, end] },
    ...(title !== null && value && { titleAt: [value.offset, endOf(value)] as const }),
    ...(separator !== null && { titleAt: [key.offset + 4, endOf(key) - 4] as const }),
    ...(file !== undefined && { file }),
    ...(isBelow && { targetAt: [key.offset, endOf(key)] as const }),
  };
}

function styleOf({ source }: Metas, folder: string, isObject: boolean): ListStyle {
  const name = (file: string) => {
    const inner = folderOf(below(folder, file) ?? '');
    return JSON.stringify(joinPath(inner, metaName(source, file)));
  };
  const shown = (file: string) => pageTitle(source, file) ?? metaName(source, file);
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

function crumbsOf(metas: Metas, folder: string): string[] {
  const { source, generator, folders } = metas;
  if (!isInside(folder, folders)) return [];
  const textOfFolder = (one: string) => metaText(source, one, generator);
  return [...crumbsOf(metas, folderOf(folder)), folderTitle(textOfFolder, folder, generator)];
}

/** Each entry on a line of its own, with a comma at its end. */
function opened(text: string, file: string): string {
  const list = parseMeta(text, file)?.list;
  const items = list?.children ?? [];
  if (!list) return text;
  const [open = '[', close = ']'] = list.type === 'object' ? '{}' : '[]';
  const [indent] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', list.offset) + 1)) ?? [''];
  const inner = indentOf(text, items) ?? `${indent}  `;
  const lineEnd = lineEndOf(text);
  const lines = items.map(item => `${inner}${text.slice(item.offset, endOf(item))},${lineEnd}`);
  return replaced(text, list, `${open}${lineEnd}${lines.join('')}${indent}${close}`);
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
