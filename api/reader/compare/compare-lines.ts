import { diffLines } from 'diff';
import type { PageElement, PageNode } from '../../dashboard/contract/page-tree.ts';
import { textOfNodes } from '../render/components.ts';

const LONGEST_MS = 1_000;

/** Code as text, with its removed and added lines marked. */
export function compareLines(before: PageElement, after: PageElement): PageNode[] {
  const [old, now] = [`${textOfNodes([before])}\n`, `${textOfNodes([after])}\n`];
  const parts = diffLines(old, now, { timeout: LONGEST_MS });
  if (!parts)
    return [
      { tag: 'del', children: [old] },
      { tag: 'ins', children: [now] },
    ];
  return parts.map(({ added, removed, value }) =>
    added || removed ? { tag: added ? 'ins' : 'del', children: [value] } : value,
  );
}
