import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
} from 'yaml';
import { parseBoundedYaml } from '../../../sites/bounded-yaml.ts';
import type { Span } from '../entry-lists/entry-list.ts';

/** YAML with the places of its nodes; nothing is constructed from tags. */
export function parsePlaces(text: string): Document {
  return parseBoundedYaml(text, {
    resolveKnownTags: false,
    uniqueKeys: false,
  });
}

/** The value of a member of a map, or undefined. */
export function memberOf(node: unknown, name: string): Node | undefined {
  const value = pairOf(node, name)?.value;
  return isNode(value) ? value : undefined;
}

export function pairOf(node: unknown, name: string): Pair | undefined {
  return isMap(node)
    ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
    : undefined;
}

/** Where a value is written, its quotes included and its tag not. */
export function spanOf(node: Node): Span {
  return [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
}

/** Where a node's last value ends. */
export function endOf(node: unknown): number {
  if (isMap(node) && !node.flow) {
    const last = node.items.at(-1);
    return Math.max(
      isNode(last?.value) ? endOf(last.value) : 0,
      isNode(last?.key) ? endOf(last.key) : 0,
    );
  }
  if (isSeq(node) && !node.flow) return endOf(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

/** From the start of the line of `from` to the end of that of `to`. */
export function linesOfSpan(text: string, from: number, to: number): Span {
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', Math.max(from, to - (text[to - 1] === '\n' ? 1 : 0)));
  return [start, end < 0 ? text.length : end + 1];
}

/** A text as a YAML scalar, in the quotes of `like` if it has some. */
export function writeScalar(value: string, like = ''): string {
  if (like.startsWith("'")) return `'${value.replaceAll("'", "''")}'`;
  if (like.startsWith('"') || !isPlain(value)) return JSON.stringify(value);
  return value;
}

/** Whether a text is itself when it is written without quotes. */
function isPlain(value: string): boolean {
  if (!/^[\p{L}\p{N}./_]/u.test(value) || /[\n\t]|: |:$| #|\s$/.test(value)) return false;
  const { contents, errors } = parsePlaces(value);
  return errors.length === 0 && isScalar(contents) && contents.value === value;
}

/**
 * What a document says without the nodes at `left`, tags and anchors included, as a text to be
 * compared; undefined if it cannot be read, or if what is left out is used elsewhere.
 */
export function restOf(
  document: Document,
  left: readonly (Node | undefined)[],
): string | undefined {
  const without = new Set<unknown>(left.filter(node => node !== undefined));
  if (document.errors.length > 0 || sharesAnchors(document, without)) return undefined;
  return JSON.stringify(restOfNode(document.contents, without, 0));
}

function restOfNode(node: unknown, without: ReadonlySet<unknown>, depth: number): unknown {
  if (without.has(node) || depth > 100) return null;
  if (isAlias(node)) return { alias: node.source };
  if (!isNode(node)) return node;
  const own = { tag: node.tag ?? null, anchor: isAlias(node) ? null : (node.anchor ?? null) };
  if (isMap(node))
    return {
      ...own,
      map: node.items
        .filter(({ value }) => !without.has(value))
        .map(({ key, value }) => [
          restOfNode(key, without, depth + 1),
          restOfNode(value, without, depth + 1),
        ]),
    };
  if (isSeq(node))
    return { ...own, list: node.items.map(item => restOfNode(item, without, depth + 1)) };
  return { ...own, value: isScalar(node) ? node.value : null };
}

/** Whether an anchor that is set in what is left out may be meant elsewhere. */
function sharesAnchors(document: Document, without: ReadonlySet<unknown>): boolean {
  let shares = false;
  for (const node of without)
    if (isNode(node))
      visit(node, {
        Node: (_key, inner) => {
          if (!isAlias(inner) && inner.anchor !== undefined) shares = true;
        },
      });
  return shares && document.contents !== null;
}
