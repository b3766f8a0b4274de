import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

/**
 * Edits of JSON text that leave every other byte as it is (jsonc-parser's own `modify` reformats
 * lines, and breaks
 * `["a", "b"]` when the last item goes). Pointers that lead nowhere change nothing.
 */
export function setString(text: string, pointer: JSONPath, value: string): string {
  const node = nodeAt(text, pointer);
  return node
    ? text.slice(0, node.offset) + JSON.stringify(value) + text.slice(node.offset + node.length)
    : text;
}

/** Removes an item of a list, or a member of an object. */
export function removeValue(text: string, pointer: JSONPath): string {
  const value = nodeAt(text, pointer);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = node?.parent?.children;
  if (!node || !siblings) return text;
  const at = siblings.indexOf(node);
  const next = siblings[at + 1];
  const previous = siblings[at - 1];
  if (next) return text.slice(0, node.offset) + text.slice(next.offset);
  if (previous) return text.slice(0, end(previous)) + text.slice(end(node));
  return text.slice(0, (node.parent?.offset ?? 0) + 1) + text.slice(end(node.parent ?? node) - 1);
}

/** Adds an object of strings to the end of a list, written as the item before it is. */
export function appendItem(text: string, pointer: JSONPath, item: Record<string, string>): string {
  const list = nodeAt(text, pointer);
  if (list?.type !== 'array') return text;
  const last = list.children?.at(-1);
  if (!last)
    return text.slice(0, list.offset) + `[${JSON.stringify(item)}]` + text.slice(end(list));
  const before = list.children?.at(-2);
  const gap = text.slice(before ? end(before) : list.offset + 1, last.offset).replace(/^\s*,/, '');
  return (
    text.slice(0, end(last)) +
    `,${gap}${writeLike(text.slice(last.offset, end(last)), gap, item)}` +
    text.slice(end(last))
  );
}

/** The value at a pointer, or undefined. */
export function valueAt(text: string, pointer: JSONPath): unknown {
  const node = nodeAt(text, pointer);
  return node ? (JSON.parse(text.slice(node.offset, end(node))) as unknown) : undefined;
}

function writeLike(model: string, gap: string, item: Record<string, string>): string {
  const lineEnd = model.includes('\r\n') ? '\r\n' : '\n';
  const [, inner] = /^\{\r?\n([ \t]+)/.exec(model) ?? [];
  const members = Object.entries(item).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  if (inner !== undefined) {
    const outer = /[ \t]*$/.exec(gap)?.[0] ?? '';
    const lines = members.map(member => inner + member).join(`,${lineEnd}`);
    return `{${lineEnd}${lines}${lineEnd}${outer}}`;
  }
  return model.startsWith('{ ') ? `{ ${members.join(', ')} }` : `{${members.join(', ')}}`;
}

function nodeAt(text: string, pointer: JSONPath): Node | undefined {
  const root = parseTree(text);
  return root && findNodeAtLocation(root, pointer);
}

function end(node: Node): number {
  return node.offset + node.length;
}
