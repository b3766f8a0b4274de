import { type ListEntry, prefixOf } from './entry-list.ts';
import { entriesOf, type FoundEntry, type Refusal, type Slot } from './find-entry.ts';
import type { TextEdit } from './text-edits.ts';

/** The entry's lines as they are written at another place. */
export function movedLines(
  { list, entry }: FoundEntry,
  slot: Slot,
  prefix: string,
): string | Refusal {
  if (list.file !== slot.list.file && entry.file !== undefined && !entry.children?.length) {
    const { style } = slot.list;
    return prefix + style.entry(entry.file, entry.title ?? undefined, slot.beside?.found.entry);
  }
  if (list.file !== slot.list.file)
    return { refused: `A group cannot go from ${list.file} to ${slot.list.file}: move its pages.` };
  const old = prefixOf(list.text, entry);
  const [from = '', to = ''] = [old, prefix].map(one => /^[ \t]*/.exec(one)?.[0]);
  const lines = list.text
    .slice(...entry.span)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  return lines
    .map((line, i) =>
      i === 0
        ? prefix + line.slice(old.length)
        : line.startsWith(from)
          ? to + line.slice(from.length)
          : line,
    )
    .join('\n');
}

/** The group that would be empty without the entry, instead of the entry. */
export function emptied(found: FoundEntry): FoundEntry {
  const { list, parent } = found;
  if (!parent || parent.children?.length !== 1 || parent.target !== null) return found;
  const above = [...entriesOf([list])].find(({ entry }) => entry === parent);
  return above ? emptied(above) : found;
}

export function cut({ entry }: FoundEntry): TextEdit {
  return { start: entry.span[0], end: entry.span[1], text: '' };
}

export function replace([start, end]: readonly [number, number], text: string): TextEdit {
  return { start, end, text };
}

export function isWithin(inner: ListEntry | undefined, outer: ListEntry): boolean {
  return inner !== undefined && inner.span[0] >= outer.span[0] && inner.span[1] <= outer.span[1];
}

export function isInside({ span }: ListEntry, edit: TextEdit): boolean {
  return edit.text === '' && span[0] >= edit.start && span[1] <= edit.end;
}
