import { diffArrays } from 'diff';
import type { PageElement, PageNode } from '../../dashboard/contract/page-tree.ts';

const LONGEST_MS = 1_000;

/** A word with the elements around it, the outermost first. */
interface Word {
  node: PageNode;
  around: readonly PageElement[];
  /** Equal for words that look the same. */
  key: string;
}

/** Text with marks and links, with the words that differ in `del` and `ins`. */
export function compareWords(before: readonly PageNode[], after: readonly PageNode[]): PageNode[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const parts = diffArrays(
    old.map(word => word.key),
    now.map(word => word.key),
    { timeout: LONGEST_MS },
  );
  if (!parts) return [...wrapped('del', old), ...wrapped('ins', now)];
  const nodes: PageNode[] = [];
  let left = 0;
  let right = 0;
  for (const { added, removed, count = 0 } of parts) {
    if (removed) nodes.push(...wrapped('del', old.slice(left, left + count)));
    else if (added) nodes.push(...wrapped('ins', now.slice(right, right + count)));
    else nodes.push(...rebuilt(now.slice(right, right + count)));
    if (!added) left += count;
    if (!removed) right += count;
  }
  return nodes;
}

function wrapped(tag: 'ins' | 'del', words: readonly Word[]): PageNode[] {
  return words.length === 0 ? [] : [{ tag, children: rebuilt(words) }];
}

function wordsOf(nodes: readonly PageNode[], around: readonly PageElement[] = []): Word[] {
  const shell = around.map(({ tag, attributes }) => JSON.stringify([tag, attributes])).join();
  return nodes.flatMap((node): Word[] => {
    if (typeof node === 'string')
      return (node.match(/\s+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []).map(word => ({
        node: word,
        around,
        key: `${shell} ${word}`,
      }));
    if (!node.children || node.children.length === 0)
      return [{ node, around, key: `${shell} ${JSON.stringify(node)}` }];
    return wordsOf(node.children, [...around, node]);
  });
}

/** The words in their elements again; neighbours within one element share it. */
function rebuilt(words: readonly Word[], depth = 0): PageNode[] {
  const nodes: PageNode[] = [];
  for (let at = 0; at < words.length;) {
    const { node, around } = words[at]!;
    const shell = around[depth];
    let end = at + 1;
    if (!shell) {
      const last = nodes.at(-1);
      if (typeof node === 'string' && typeof last === 'string') nodes.splice(-1, 1, last + node);
      else nodes.push(node);
    } else {
      while (end < words.length && words[end]!.around[depth] === shell) end += 1;
      nodes.push({ ...shell, children: rebuilt(words.slice(at, end), depth + 1) });
    }
    at = end;
  }
  return nodes;
}
