import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLSeq } from 'yaml';
import type { EntryList, ListEntry, ListStyle } from '../entry-lists/entry-list.ts';
import { below, joinPath } from '../../../sites/kinds/paths.ts';
import { endOf, linesOfSpan, spanOf, writeScalar } from './yaml-text.ts';

/** How a list of `nav` in a YAML file is read and written. */
export interface NavList {
  file: string;
  text: string;
  /** The folder that its paths count from. */
  folder: string;
  /** The folder that a path counts from if the list's own folder has no such file. */
  docsFolder: string;
  has(file: string): boolean;
  crumbs: readonly string[];
  titleOfFile(file: string): string | undefined;
}

/** The entries of a `nav`; null if it is written in brackets, whose lines are not entries. */
export function navEntries(list: NavList, node: Node | undefined): EntryList | null {
  if (!isSeq(node) || node.flow) return null;
  const { file, text, crumbs } = list;
  const entries = entriesOf(node, list);
  return { file, text, crumbs, entries, style: styleOf(list, entries) };
}

function entriesOf(node: YAMLSeq, list: NavList): ListEntry[] {
  return node.items.map(item => {
    const start = startOf(item);
    const span = linesOfSpan(list.text, start, Math.max(start + 1, endOf(item)));
    const entry = entryOf(item, span, list);
    const line = list.text.slice(span[0], start);
    return /^[ \t]*-[ \t]+$/.test(line)
      ? entry
      : { ...entry, fixed: 'it is not on a line of its own' };
  });
}

function entryOf(item: unknown, span: ListEntry['span'], list: NavList): ListEntry {
  if (isScalar(item)) return { title: null, span, ...targetOf(item, list) };
  const pair = isMap(item) && item.items.length === 1 ? item.items[0] : undefined;
  if (!pair || !isScalar(pair.key)) {
    const fixed = isAlias(item) ? 'it is an alias' : 'it is not an entry that is known';
    return { title: null, target: null, span, fixed };
  }
  const named = { title: String(pair.key.value), titleAt: spanOf(pair.key), span };
  const { value } = pair;
  if (isSeq(value) && !value.flow)
    return { ...named, target: null, children: entriesOf(value, list) };
  if (value === null || (isScalar(value) && value.value === null))
    return { ...named, target: null, children: [] };
  if (isScalar(value)) return { ...named, ...targetOf(value, list) };
  return { ...named, target: null, fixed: 'its value is an alias or in brackets' };
}

function targetOf(node: Node, list: NavList): Pick<ListEntry, 'target' | 'file'> {
  const written = isScalar(node) ? node.value : null;
  if (typeof written !== 'string' || node.tag !== undefined)
    return { target: null, ...{ fixed: 'its value has a tag' } };
  const file = /^\w+:/.test(written) ? undefined : fileOf(written, list);
  return { target: written, targetAt: spanOf(node), ...(file !== undefined && { file }) } as Pick<
    ListEntry,
    'target' | 'file'
  >;
}

function fileOf(written: string, { folder, docsFolder, has }: NavList): string | undefined {
  const own = joinPath(folder, written);
  const ofDocs = joinPath(docsFolder, written);
  return own !== undefined && !has(own) && ofDocs !== undefined && has(ofDocs) ? ofDocs : own;
}

/** Where an item begins behind its mark: the key of a map, a scalar with its anchor. */
function startOf(item: unknown): number {
  if (isMap(item)) {
    const key = item.items[0]?.key;
    return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
  }
  return isScalar(item) || isAlias(item) || isSeq(item) ? (item.range?.[0] ?? 0) : 0;
}

function styleOf(list: NavList, entries: readonly ListEntry[]): ListStyle {
  const ofDocs = (file: string) => below(list.docsFolder, file);
  // Paths count from the list's own folder, else from the docs folder, as the entries beside it.
  const isOfDocs = (like?: { target?: string | null; file?: string }) =>
    list.folder !== list.docsFolder &&
    like?.file !== undefined &&
    ofDocs(like.file) === like.target;
  const path = (file: string, like?: { target?: string | null; file?: string }) =>
    (isOfDocs(like) ? ofDocs(file) : below(list.folder, file)) ?? ofDocs(file) ?? file;
  const step = ' '.repeat(stepOf(list.text, entries));
  const deeper = (prefix: string) => `${/^[ \t]*/.exec(prefix)?.[0] ?? ''}${step}- `;
  const line = (file: string, title: string | undefined, like?: ListEntry) =>
    title === undefined
      ? writeScalar(path(file, like))
      : `${writeScalar(title)}: ${writeScalar(path(file, like))}`;
  return {
    entry: (file, title, model) =>
      line(file, title ?? (model?.title == null ? undefined : list.titleOfFile(file)), model),
    group: (title, pages, prefix) =>
      pages.length === 0
        ? null
        : [
            `${writeScalar(title)}:`,
            ...pages.map(file => deeper(prefix) + line(file, list.titleOfFile(file))),
          ].join('\n'),
    title: writeScalar,
    target: (file, written) => writeScalar(path(file), written),
    addTitle: ({ targetAt }, title) =>
      targetAt ? { start: targetAt[0], end: targetAt[0], text: `${writeScalar(title)}: ` } : null,
    deeper,
  };
}

/** By how much groups indent what is in them; four if there is none. */
function stepOf(text: string, entries: readonly ListEntry[]): number {
  const indent = ({ span }: ListEntry) => /^ */.exec(text.slice(...span))?.[0].length ?? 0;
  const group = entries.find(entry => entry.children?.length);
  const child = group?.children?.[0];
  return group && child ? indent(child) - indent(group) : 4;
}
