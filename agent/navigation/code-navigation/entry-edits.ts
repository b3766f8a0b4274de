import { indentAt, insertPart, removePart, replacePart } from './edit-literal.ts';
import type { Slot } from '../../../sites/code/static-value.ts';
import { keyText, quoted, type Shape, styleOf, writeShape } from './write-literal.ts';
import type { NavigationEdit } from '../navigation-edit.ts';
import type { Editing, Refusal } from './editing.ts';
import {
  findEntries,
  findEntry,
  findPlace,
  isBelow,
  type Place,
  usualPlace,
} from './find-place.ts';
import { placeByNumber } from './folder-order.ts';
import { filesIn, hasChangedAs } from './same-pages.ts';
import type { WrittenEntry, WrittenNavigation } from './written-navigation.ts';

type Edit<K extends NavigationEdit['kind']> = Extract<NavigationEdit, { kind: K }>;

export function addPage(editing: Editing, { file, title, position }: Edit<'add-page'>): Refusal {
  const nav = editing.read();
  const listed = findEntries(nav, nav.lists, { file });
  if (!('refused' in listed)) {
    if (position) return moveEntry(editing, { kind: 'move-entry', entry: { file }, position });
    const isWritten = listed.some(({ entry }) => entry.slot !== undefined);
    editing.done.push(
      isWritten
        ? `${file} is in the navigation already.`
        : `${file} needs no entry: the generator lists the pages of its folder.`,
    );
    return undefined;
  }
  if (nav.targetOf(file, undefined) === undefined)
    return { refused: `${file} is not a page of the site, so the navigation cannot name it.` };
  const place = position ? findPlace(nav, file, position) : usualPlace(nav, file);
  if ('refused' in place) return place;
  if (!('literal' in place)) return listedByFolder(editing, file, place);
  const refusal = insertShape(editing, place, nav.pageShape(file, title, place.model));
  return refusal ?? hasChangedAs(editing, nav, [...filesIn(nav), file], `${file} was added`);
}

/** A page in a folder that the generator lists needs no entry. */
function listedByFolder(
  editing: Editing,
  file: string,
  place: Extract<Place, { folder: string }>,
): Refusal {
  const { folder } = place;
  if (!isBelow(folder, file))
    return {
      refused:
        `The generator lists the pages of ${folder} there by itself, and ${file} is not in it. ` +
        `Put the page into ${folder}, or name a group whose entries are written out.`,
    };
  editing.done.push(
    `${file} needs no entry: the generator lists the pages of ${folder || 'the docs folder'}.`,
  );
  if (place.at !== undefined) placeByNumber(editing, file, place.siblings, place.at);
  return undefined;
}

export function addGroup(editing: Editing, { title, pages, position }: Edit<'add-group'>): Refusal {
  const nav = editing.read();
  const [first] = pages;
  const place = findPlace(nav, first ?? '', position ?? { group: [], at: 'end' });
  if ('refused' in place) return place;
  if (!('literal' in place))
    return {
      refused:
        `The generator lists the pages of ${place.folder} there by itself: ` +
        'make a folder for the group, and put pages into it.',
    };
  const unknown = pages.find(file => nav.targetOf(file, undefined) === undefined);
  if (unknown !== undefined) return { refused: `${unknown} is not a page of the site.` };
  const items = pages.map(file => nav.pageShape(file, undefined, place.model));
  const model = groupModel(nav, place.literal.file);
  const refusal = isShortForm(editing, place)
    ? insertMember(editing, place, title, items)
    : insertShape(editing, place, nav.groupShape(title, items, model), model);
  return refusal ?? hasChangedAs(editing, nav, [...filesIn(nav), ...pages], `"${title}" was added`);
}

export function moveEntry(editing: Editing, { entry, position }: Edit<'move-entry'>): Refusal {
  const nav = editing.read();
  const found = findEntry(nav, entry);
  if ('refused' in found) return found;
  const { slot, file, title } = found.entry;
  if (!slot) {
    const place = findPlace(nav, file ?? '', position);
    if ('refused' in place) return place;
    if (file === undefined || !('folder' in place) || !isBelow(place.folder, file))
      return { refused: `"${title}" is listed by the folder of its file: move the file instead.` };
    editing.done.push(`${file} is listed by its folder.`);
    placeByNumber(editing, file, place.siblings, place.at ?? place.siblings.length);
    return undefined;
  }
  const text = editing.draft.read(slot.literal.file) ?? '';
  const part = slot.literal.parts[slot.index] ?? slot.value;
  const indent = indentAt(text, part.start);
  const written = text
    .slice(part.start, part.end)
    .replaceAll(`\n${indent}`, '\n')
    .replaceAll('\r', '');
  editing.draft.write(slot.literal.file, removePart(text, slot.literal, slot.index));
  const place = findPlace(editing.read(), file ?? '', position);
  if ('refused' in place) return place;
  if (!('literal' in place))
    return { refused: `The generator lists the pages of ${place.folder} there by itself.` };
  const isKeyed = slot.key !== undefined;
  if (isKeyed !== isShortForm(editing, place) || place.literal.file !== slot.literal.file)
    return { refused: `"${title}" is written in another form than the entries at that place.` };
  insertText(editing, place, written);
  editing.done.push(`"${title}" moved in ${place.literal.file}.`);
  return hasChangedAs(editing, nav, filesIn(nav), `"${title}" was moved`);
}

export function removeEntry(editing: Editing, { entry }: Edit<'remove-entry'>): Refusal {
  const nav = editing.read();
  const found = 'file' in entry ? findEntries(nav, nav.lists, entry) : findEntry(nav, entry);
  if ('refused' in found) return found;
  const gone = [found].flat().map(one => one.entry);
  const byFolder = gone.find(({ slot }) => !slot);
  if (byFolder)
    return { refused: `"${byFolder.title}" is listed by the folder of its file, not by an entry.` };
  const removed = gone.flatMap(one => filesIn({ lists: [{ name: '', entries: [one] }] }));
  const lastFirst = gone
    .flatMap(({ slot }) => slot ?? [])
    .toSorted((a, b) => b.value.start - a.value.start);
  for (const slot of lastFirst) removeAt(editing, slot);
  editing.done.push(
    `${gone.length === 1 ? `"${gone[0]?.title}"` : `${gone.length} entries`} removed.`,
  );
  return hasChangedAs(editing, nav, without(filesIn(nav), removed), 'the entry was removed');
}

export function renameEntry(editing: Editing, edit: Edit<'rename-entry'>): Refusal {
  const nav = editing.read();
  const found = findEntry(nav, edit.entry);
  if ('refused' in found) return found;
  const { entry } = found;
  const { slot, label } = entry;
  if (!slot)
    return {
      refused: `The title of "${entry.title}" comes from its page or folder: change it there.`,
    };
  const { file } = slot.literal;
  const text = editing.draft.read(file) ?? '';
  const style = styleOf(file, text, entry.value);
  if (label)
    editing.draft.replace([
      { file, ...label.value, text: labelText(label, edit.title, text, style) },
    ]);
  else {
    const shape = writeShape(nav.titledShape(entry, edit.title), style);
    editing.draft.write(file, replacePart(slot, text, shape));
  }
  editing.done.push(`"${entry.title}" is now "${edit.title}" in ${file}.`);
  return hasChangedAs(editing, nav, filesIn(nav), 'the entry was renamed');
}

/** A title as a text, or as the name of a member. */
function labelText(
  label: Slot,
  title: string,
  text: string,
  style: ReturnType<typeof styleOf>,
): string {
  const before = text.slice(label.value.start, label.value.end);
  const isName = label.key?.start === label.value.start;
  if (isName) return keyText(title, { ...style, quotedKeys: /^["']/.test(before) });
  return quoted(title, before.startsWith('"') ? '"' : before.startsWith("'") ? "'" : style.quote);
}

/** Takes an element out of the file that it is written in. */
export function removeAt(editing: Editing, { literal, index }: Slot): void {
  const text = editing.draft.read(literal.file) ?? '';
  editing.draft.write(literal.file, removePart(text, literal, index));
}

type Written = Extract<Place, { index: number }>;

export function insertShape(
  editing: Editing,
  place: Written,
  shape: Shape,
  model: WrittenEntry | undefined = place.model,
): Refusal {
  if (isShortForm(editing, place))
    return { refused: 'The entries there are groups (title: pages): name one of the groups.' };
  const { file } = place.literal;
  const text = editing.draft.read(file) ?? '';
  insertText(editing, place, writeShape(shape, styleOf(file, text, model?.value)));
  editing.done.push(`An entry was added to ${file}.`);
  return undefined;
}

function insertMember(editing: Editing, place: Written, title: string, items: Shape[]): Refusal {
  const { file } = place.literal;
  const style = styleOf(file, editing.draft.read(file) ?? '', undefined);
  insertText(editing, place, `${keyText(title, style)}: ${writeShape(items, style)}`);
  editing.done.push(`A group was added to ${file}.`);
  return undefined;
}

function insertText(editing: Editing, { literal, index }: Written, written: string): void {
  const text = editing.draft.read(literal.file) ?? '';
  editing.draft.write(literal.file, insertPart(text, literal, index, written));
}

/** `{ 'Title': ['page'] }`, where an array of entries would be as well. */
function isShortForm(editing: Editing, { literal }: Written): boolean {
  return editing.draft.read(literal.file)?.[literal.start] === '{';
}

function groupModel({ lists }: WrittenNavigation, file: string): WrittenEntry | undefined {
  const all = lists.flatMap(list => list.entries);
  return all.find(one => one.type === 'group' && one.value?.file === file && one.slot);
}

/** A list less the items of another, each once. */
export function without(all: readonly string[], gone: readonly string[]): string[] {
  const rest = [...all];
  for (const one of gone) if (rest.includes(one)) rest.splice(rest.indexOf(one), 1);
  return rest;
}
