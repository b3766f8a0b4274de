import { folderOf } from '../../../sites/kinds/paths.ts';
import type {
  EntryPosition,
  EntryReference,
  NavigationChange,
  NavigationEdit,
} from '../navigation-edit.ts';
import { type EntryList, prefixOf } from './entry-list.ts';
import { besideOf, type Change, counted, fixedLine, whereOf } from './entry-words.ts';
import { cut, emptied, isInside, isWithin, movedLines, replace } from './entry-text.ts';
import {
  entriesOf,
  findEntry,
  findSlot,
  type FoundEntry,
  isRefusal,
  type Refusal,
  type Slot,
  titleOf,
} from './find-entry.ts';
import { applyEdits, insertLines, type TextEdit } from './text-edits.ts';

/** Every edit except those of redirects, which have no entries. */
export type EntryEdit = Exclude<NavigationEdit, { kind: 'add-redirect' }>;

/** Edits navigation that is written as lists of lines, in one file or several. */
export function editLists(
  lists: readonly EntryList[],
  titleOfFile: (file: string) => string | undefined,
  edit: EntryEdit,
): NavigationChange {
  return new ListEditor(lists, titleOfFile).edit(edit);
}

class ListEditor {
  readonly #lists: readonly EntryList[];
  readonly #titleOfFile: (file: string) => string | undefined;

  constructor(lists: readonly EntryList[], titleOfFile: (file: string) => string | undefined) {
    this.#lists = lists;
    this.#titleOfFile = titleOfFile;
  }

  edit(edit: EntryEdit): NavigationChange {
    const change = this.#change(edit);
    if (isRefusal(change)) return change;
    const byFile = new Map<string, { text: string; edits: TextEdit[] }>();
    for (const [{ file, text }, one] of change.edits) {
      const known = byFile.get(file) ?? { text, edits: [] };
      known.edits.push(one);
      byFile.set(file, known);
    }
    const files = new Map(
      [...byFile].map(([file, { text, edits }]) => [file, applyEdits(text, edits)]),
    );
    return { files, done: change.done, left: change.left ?? [] };
  }

  #change(edit: EntryEdit): Change | Refusal {
    switch (edit.kind) {
      case 'add-page':
        return this.#addPage(edit.file, edit.title, edit.position);
      case 'add-group':
        return this.#addGroup(edit.title, edit.pages, edit.position);
      case 'move-entry':
        return this.#move(edit.entry, edit.position);
      case 'remove-entry':
        return this.#remove(edit.entry);
      case 'rename-entry':
        return this.#rename(edit.entry, edit.title);
      case 'move-page':
        return this.#retarget(edit.from, edit.to);
      case 'remove-page':
        return this.#removePage(edit.file);
    }
  }

  #addPage(
    file: string,
    title: string | undefined,
    position: EntryPosition | undefined,
  ): Change | Refusal {
    const listed = [...entriesOf(this.#lists)].find(({ entry }) => entry.file === file);
    if (listed)
      return { refused: `${file} is in the navigation already, in ${whereOf(listed)}. Move it.` };
    const slot = this.#slot(position, file);
    if (isRefusal(slot)) return slot;
    const model = slot.beside?.found.entry;
    const place = this.#place(slot);
    if (isRefusal(place)) return place;
    const { style, text } = slot.list;
    const line = place.prefix + style.entry(file, title, model);
    const done = [`Listed ${file} in ${slot.list.file}${besideOf(slot)}.`];
    return { edits: [[slot.list, insertLines(text, place.at, line)]], done };
  }

  #addGroup(
    title: string,
    pages: readonly string[],
    position: EntryPosition | undefined,
  ): Change | Refusal {
    const slot = this.#slot(position, pages[0] ?? '');
    if (isRefusal(slot)) return slot;
    const place = this.#place(slot);
    if (isRefusal(place)) return place;
    const { style, text, file } = slot.list;
    const lines = style.group(title, pages, place.prefix);
    if (lines === null)
      return { refused: `A group in ${file} needs pages: name at least one in \`pages\`.` };
    const done = [`Added the group “${title}” to ${file}${besideOf(slot)}.`];
    const edits: Change['edits'] = [[slot.list, insertLines(text, place.at, place.prefix + lines)]];
    for (const page of pages) {
      const listed = [...entriesOf(this.#lists)].find(({ entry }) => entry.file === page);
      if (listed) edits.push([listed.list, cut(listed)]);
    }
    return { edits, done };
  }

  #move(reference: EntryReference, position: EntryPosition): Change | Refusal {
    const found = this.#editable(reference);
    if (isRefusal(found)) return found;
    const slot = findSlot(this.#lists, position, this.#titleOfFile);
    if (isRefusal(slot)) return slot;
    const beside = slot.beside?.found.entry;
    const isSameFile = slot.list.file === found.list.file;
    if (isSameFile && isWithin(beside ?? slot.parent, found.entry))
      return { refused: 'An entry cannot go beside itself or into itself.' };
    if (!isSameFile && slot.list.isOfFolder)
      return {
        refused: `${slot.list.file} lists the pages of its folder: move the page's file there.`,
      };
    const place = this.#place(slot);
    if (isRefusal(place)) return place;
    const lines = movedLines(found, slot, place.prefix);
    if (typeof lines !== 'string') return lines;
    return {
      edits: [
        [found.list, cut(found)],
        [slot.list, insertLines(slot.list.text, place.at, lines)],
      ],
      done: [`Moved “${this.#shown(found)}” in ${slot.list.file}${besideOf(slot)}.`],
    };
  }

  #remove(reference: EntryReference): Change | Refusal {
    const found = this.#editable(reference);
    if (isRefusal(found)) return found;
    const done = [`Took “${this.#shown(found)}” out of ${found.list.file}.`];
    return { edits: [[found.list, cut(emptied(found))]], done };
  }

  #rename(reference: EntryReference, title: string): Change | Refusal {
    const found = this.#editable(reference);
    if (isRefusal(found)) return found;
    const { list, entry } = found;
    const edit = entry.titleAt
      ? replace(entry.titleAt, list.style.title(title, list.text.slice(...entry.titleAt)))
      : list.style.addTitle?.(entry, title);
    if (!edit)
      return {
        refused:
          `${list.file} takes the title of “${this.#shown(found)}” from the page: ` +
          'change the title there.',
      };
    return { edits: [[list, edit]], done: [`Renamed the entry to “${title}” in ${list.file}.`] };
  }

  #retarget(from: string, to: string): Change {
    const change: Change = { edits: [], done: [], left: [] };
    for (const found of this.#allOf(from)) {
      const { list, entry } = found;
      if (!entry.targetAt || entry.fixed !== undefined) change.left?.push(fixedLine(found));
      else {
        const written = list.style.target(to, list.text.slice(...entry.targetAt));
        change.edits.push([list, replace(entry.targetAt, written)]);
      }
    }
    return counted(change, 'updated');
  }

  #removePage(file: string): Change {
    const change: Change = { edits: [], done: [], left: [] };
    for (const found of this.#allOf(file)) {
      const { list, entry } = found;
      const others = (entry.children ?? []).filter(child => child.file !== file);
      const kept = others.length > 0 && list.style.withoutPage?.(entry, list.text);
      if (entry.fixed !== undefined) change.left?.push(fixedLine(found));
      else if (kept) change.edits.push(...kept.map((edit): Change['edits'][0] => [list, edit]));
      else if (!change.edits.some(([, edit]) => isInside(entry, edit)))
        change.edits.push([list, cut(emptied(found))]);
    }
    return counted(change, 'removed');
  }

  #allOf(file: string): FoundEntry[] {
    return [...entriesOf(this.#lists)].filter(({ entry }) => entry.file === file);
  }

  #editable(reference: EntryReference): FoundEntry | Refusal {
    const found = findEntry(this.#lists, reference, this.#titleOfFile);
    if (isRefusal(found) || found.entry.fixed === undefined) return found;
    return { refused: `${fixedLine(found)}. Nothing was edited.` };
  }

  #shown({ entry }: FoundEntry): string {
    const own = entry.file === undefined ? undefined : this.#titleOfFile(entry.file);
    return entry.title ?? own ?? titleOf(entry);
  }

  /** Where it is asked for; else behind the last page of the folder, else at the end. */
  #slot(position: EntryPosition | undefined, file: string): Slot | Refusal {
    if (position) return findSlot(this.#lists, position, this.#titleOfFile);
    const near = [...entriesOf(this.#lists)].findLast(
      ({ entry }) => entry.file !== undefined && folderOf(entry.file) === folderOf(file),
    );
    const [top] = this.#lists;
    const last = top?.entries.at(-1);
    const siblings = top?.entries ?? [];
    const end = top &&
      last && { list: top, entry: last, parent: undefined, siblings, crumbs: [...top.crumbs] };
    const found = near ?? end;
    if (found) return { list: found.list, beside: { found, before: false } };
    return top ? { list: top } : { refused: 'The site has no list of pages to put an entry into.' };
  }

  /** The offset and the prefix of a new line. */
  #place({ list, beside, parent }: Slot): { at: number; prefix: string } | Refusal {
    if (beside) {
      const { entry } = beside.found;
      if (entry.fixed !== undefined) return { refused: `${fixedLine(beside.found)}.` };
      return {
        at: entry.span[beside.before ? 0 : 1],
        prefix: prefixOf(list.text, entry),
      };
    }
    const prefix = parent && list.style.deeper(prefixOf(list.text, parent));
    if (parent && prefix !== null && prefix !== undefined) return { at: parent.span[1], prefix };
    if (!parent && list.empty) return list.empty;
    return { refused: `${list.file} has no entry there yet to write another one like.` };
  }
}
