import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';
import { applyEdits, insertLines, type TextEdit } from '../entry-lists/text-edits.ts';
import { isExternal } from '../../../sites/kinds/paths.ts';
import { endOf, linesOfSpan, memberOf, parsePlaces, spanOf, writeScalar } from './yaml-text.ts';

/** The map of redirects in the options of the plugin `redirects`. */
export function redirectMap(contents: unknown): Node | undefined {
  const plugins = memberOf(contents, 'plugins');
  const options = isSeq(plugins)
    ? plugins.items.map(item => memberOf(item, 'redirects')).find(one => one !== undefined)
    : memberOf(plugins, 'redirects');
  return memberOf(options, 'redirect_maps');
}

/** Where redirects of a map lead, as written. */
export function redirectTargets(map: Node | undefined): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { key, value } of isMap(map) ? map.items : [])
    targets.set(textOf(key), isNode(value) ? textOf(value) : '');
  return targets;
}

/**
 * Adds a redirect between paths below the docs folder, leads those to the old one on, and takes out
 * one that would hide the new one. Null if there is no map of a line an entry to write into.
 */
export function addRedirect(text: string, from: string, to: string): string | null {
  const document = parsePlaces(text);
  const map = redirectMap(document.contents);
  if (!isMap(map) || map.flow || document.errors.length > 0) return null;
  const [first] = map.items;
  const last = map.items.at(-1);
  if (!isNode(first?.key) || !isNode(last?.key)) return null;
  const edits: TextEdit[] = [];
  for (const pair of map.items) {
    const span = linesOf(text, pair);
    const target = isNode(pair.value) ? textOf(pair.value) : '';
    const path = target.replace(/#.*$/s, '');
    const suffix = target.slice(path.length);
    if (textOf(pair.key) === to || textOf(pair.key) === from)
      edits.push({ start: span[0], end: span[1], text: '' });
    else if (path === from && isScalar(pair.value)) {
      const [start, end] = spanOf(pair.value);
      const written = text.slice(start, end);
      edits.push({ start, end, text: writeScalar(isExternal(to) ? to : to + suffix, written) });
    }
  }
  const [keyAt] = spanOf(first.key);
  const indent = text.slice(text.lastIndexOf('\n', keyAt) + 1, keyAt);
  const [, quote = ''] = /^(['"])/.exec(text.slice(...spanOf(first.key))) ?? [];
  const valueAt = isNode(first.value) ? spanOf(first.value) : undefined;
  const like = valueAt ? text.slice(...valueAt) : '';
  const line = `${indent}${writeScalar(from, quote)}: ${writeScalar(to, like)}`;
  edits.push(insertLines(text, linesOf(text, last)[1], line));
  return applyEdits(text, edits);
}

function linesOf(text: string, { key, value }: Pair) {
  const start = isNode(key) ? spanOf(key)[0] : 0;
  return linesOfSpan(text, start, Math.max(start + 1, endOf(value)));
}

function textOf(node: unknown): string {
  return isScalar(node) ? String(node.value) : '';
}
