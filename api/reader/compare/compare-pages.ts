import { diffArrays, diffLines } from 'diff';
import type { PageElement, PageNode } from '../../dashboard/contract/page-tree.ts';
import { textOfNodes } from '../render/components.ts';
import { compareWords } from './compare-words.ts';

const LONGEST_MS = 3_000;
const LONGEST_OF_CODE_MS = 1_000;
/** Two blocks with fewer words in common are different blocks. */
const ALIKE = 0.4;

/**
 * The later page with what differs from the earlier one marked: blocks by their attribute
 * `change`, words by `ins` and `del`. What was removed stands where it was.
 */
export function comparePages(before: readonly PageNode[], after: readonly PageNode[]): PageNode[] {
  const parts = diffArrays(before.map(keyOf), after.map(keyOf), { timeout: LONGEST_MS });
  if (!parts) return [...marked(before, 'removed'), ...marked(after, 'added')];
  const nodes: PageNode[] = [];
  let left = 0;
  let right = 0;
  let removed: PageNode[] = [];
  for (const { added: isAdded, removed: isRemoved, count = 0 } of parts) {
    if (isRemoved) {
      removed = before.slice(left, (left += count));
      continue;
    }
    const here = after.slice(right, (right += count));
    if (!isAdded) left += count;
    nodes.push(...(isAdded ? aligned(removed, here) : [...marked(removed, 'removed'), ...here]));
    removed = [];
  }
  return [...nodes, ...marked(removed, 'removed')];
}

function keyOf(node: PageNode): string {
  return JSON.stringify(node);
}

/** Pairs each new block with the first of the removed ones that is like it, in order. */
function aligned(removed: readonly PageNode[], added: readonly PageNode[]): PageNode[] {
  const nodes: PageNode[] = [];
  let next = 0;
  for (const [i, node] of added.entries()) {
    const left = removed.length - next;
    const isOneToOne = left === added.length - i;
    const at = removed.findIndex((old, place) => place >= next && isAlike(old, node, isOneToOne));
    if (at < 0) {
      nodes.push(...marked([node], 'added'));
      continue;
    }
    nodes.push(...marked(removed.slice(next, at), 'removed'), changed(removed[at]!, node));
    next = at + 1;
  }
  return [...nodes, ...marked(removed.slice(next), 'removed')];
}

function isAlike(before: PageNode, after: PageNode, isOneToOne: boolean): boolean {
  if (typeof before === 'string' || typeof after === 'string')
    return typeof before === typeof after;
  if (before.tag !== after.tag) return false;
  const isContainer = (before.children ?? []).some(isBlock);
  return (
    isContainer ||
    (isOneToOne && /^h\d$|^code-block$/.test(after.tag)) ||
    inCommon(textOfNodes([before]), textOfNodes([after])) >= ALIKE
  );
}

function inCommon(before: string, after: string): number {
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const [old, now] = [words(before), words(after)];
  const shared = [...now].filter(word => old.has(word)).length;
  return shared / Math.max(1, Math.min(old.size, now.size));
}

function changed(before: PageNode, after: PageNode): PageNode {
  if (typeof before === 'string' || typeof after === 'string')
    return {
      tag: 'span',
      attributes: { change: 'changed' },
      children: compareWords([before], [after]),
    };
  const attributes = { ...after.attributes, change: 'changed' };
  if (after.tag === 'code-block')
    return { tag: 'code-block', attributes, children: compareLines(before, after) };
  const [old, now] = [before.children ?? [], after.children ?? []];
  if (old.some(isBlock) || now.some(isBlock)) {
    const { change: _own, ...plain } = attributes;
    return { ...after, attributes: plain, children: comparePages(old, now) };
  }
  return { ...after, attributes, children: compareWords(old, now) };
}

const INLINE = new Set(
  'span br strong em del ins mark code kbd sub sup small abbr link image check-box badge'.split(
    ' ',
  ),
);

function isBlock(node: PageNode): boolean {
  return typeof node === 'object' && !INLINE.has(node.tag);
}

function marked(nodes: readonly PageNode[], change: 'added' | 'removed'): PageElement[] {
  return nodes.map(node =>
    typeof node === 'string'
      ? { tag: 'span', attributes: { change }, children: [node] }
      : { ...node, attributes: { ...node.attributes, change } },
  );
}

/** Code as text, with its removed and added lines marked. */
function compareLines(before: PageElement, after: PageElement): PageNode[] {
  const [old, now] = [`${textOfNodes([before])}\n`, `${textOfNodes([after])}\n`];
  const parts = diffLines(old, now, { timeout: LONGEST_OF_CODE_MS });
  if (!parts)
    return [
      { tag: 'del', children: [old] },
      { tag: 'ins', children: [now] },
    ];
  return parts.map(({ added, removed, value }) =>
    added || removed ? { tag: added ? 'ins' : 'del', children: [value] } : value,
  );
}
