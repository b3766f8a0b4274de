import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';
import { applyEdits, type TextEdit } from '../entry-lists/text-edits.ts';

/**
 * Edits of JSON text that leave every other byte as it is (jsonc-parser's own `modify` reformats
 * lines, and breaks `["a", "b"]` when the last item goes). Pointers that lead nowhere change
 * nothing.
 */
export function setString(text: string, pointer: JSONPath, value: string): string {
  const node = nodeAt(text, pointer);
  return node ? text.slice(0, node.offset) + JSON.stringify(value) + text.slice(endOf(node)) : text;
}

/** Removes an item of a list, or a member of an object. */
export function removeValue(text: string, pointer: JSONPath): string {
  const edit = removal(text, pointer);
  return edit ? applyEdits(text, [edit]) : text;
}

export function removal(text: string, pointer: JSONPath): TextEdit | undefined {
  const value = nodeAt(text, pointer);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = node?.parent?.children;
  if (!node || !siblings) return undefined;
  const at = siblings.indexOf(node);
  const next = siblings[at + 1];
  const previous = siblings[at - 1];
  if (next) return { start: node.offset, end: next.offset, text: '' };
  if (previous) return { start: endOf(previous), end: endOf(node), text: '' };
  const { parent = node } = node;
  return { start: parent.offset + 1, end: endOf(parent) - 1, text: '' };
}

/** Puts a value into a list, laid out as its other items are. */
export function insertion(
  text: string,
  pointer: JSONPath,
  index: number,
  value: unknown,
): TextEdit | undefined {
  const list = nodeAt(text, pointer);
  if (list?.type !== 'array') return undefined;
  const items = list.children ?? [];
  const next = items[index];
  const last = items.at(-1);
  if (!last) {
    const written = writeLike(text, '', value, undefined);
    return { start: list.offset, end: endOf(list), text: `[${written}]` };
  }
  const gap = gapBefore(text, items.at(-1) ?? last, items.length);
  const written = writeLike(text, gap, value, last);
  if (next) return { start: next.offset, end: next.offset, text: `${written},${gap}` };
  return { start: endOf(last), end: endOf(last), text: `,${gap}${written}` };
}

/** Adds an object of strings to the end of a list. */
export function appendItem(text: string, pointer: JSONPath, item: Record<string, string>): string {
  const edit = insertion(text, pointer, Number.MAX_SAFE_INTEGER, item);
  return edit ? applyEdits(text, [edit]) : text;
}

/** The value at a pointer, or undefined. */
export function valueAt(text: string, pointer: JSONPath): unknown {
  const node = nodeAt(text, pointer);
  return node ? (JSON.parse(text.slice(node.offset, endOf(node))) as unknown) : undefined;
}

/** The white space before an item: a line end and indentation, a space, or nothing. */
function gapBefore(text: string, item: Node, count: number): string {
  const gap = /\s*$/.exec(text.slice(0, item.offset))?.[0] ?? '';
  return gap === '' && count < 2 ? ' ' : gap;
}

/** On one line or several, as `model` is; without one, as the gap is. */
function writeLike(text: string, gap: string, value: unknown, model: Node | undefined): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const written = model?.type === 'object' ? text.slice(model.offset, endOf(model)) : undefined;
  const isSpread = written === undefined ? gap.includes('\n') : written.includes('\n');
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  if (!isSpread) return onOneLine(value, written?.startsWith('{ ') ? ' ' : '');
  const outer = /[ \t]*$/.exec(gap)?.[0] ?? '';
  const inner = /^\{\r?\n([ \t]+)/.exec(written ?? '')?.[1];
  const unit = inner?.startsWith(outer) ? inner.slice(outer.length) : '  ';
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + outer);
}

/** `{ "a": "b" }` */
function onOneLine(value: object, padding: string): string {
  if (Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${JSON.stringify(member)}`,
  );
  return `{${padding}${members.join(', ')}${padding}}`;
}

function nodeAt(text: string, pointer: JSONPath): Node | undefined {
  const root = parseTree(text);
  return root && findNodeAtLocation(root, pointer);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}
