import type { ReactNode } from 'react';
import type { CodeToken } from '../../../../api/dashboard/contract/page-tree.ts';
import type { Side } from '../../data/diff/diff-rows.ts';

export type Look = 'same' | 'removed' | 'added';
const SIGN = { same: ' ', removed: '−', added: '+' } as const;

/** A line of source: its colours, and what changed in it marked. */
export function CodeCell({
  side: { text, mark },
  look,
  tokens,
}: {
  side: Side;
  look: Look;
  tokens: readonly CodeToken[] | undefined;
}) {
  // Colours of an earlier text are none of this one.
  const fits = tokens?.reduce((sum, [, part]) => sum + part.length, 0) === text.length;
  const parts: readonly CodeToken[] = fits && tokens ? tokens : [['plain', text]];
  return (
    <td className={`code ${look}`}>
      <span className="sign" aria-hidden={look === 'same'}>
        {SIGN[look]}
      </span>
      {mark ? (
        <>
          {slice(parts, 0, mark[0])}
          <mark>{slice(parts, ...mark)}</mark>
          {slice(parts, mark[1], text.length)}
        </>
      ) : (
        slice(parts, 0, text.length)
      )}
    </td>
  );
}

/** The characters of a line from one position to another, in their colours. */
function slice(parts: readonly CodeToken[], from: number, to: number): ReactNode[] {
  const nodes: ReactNode[] = [];
  let at = 0;
  for (const [kind, text] of parts) {
    const inside = text.slice(Math.max(0, from - at), Math.max(0, to - at));
    if (inside !== '' && kind === 'plain') nodes.push(inside);
    else if (inside !== '')
      nodes.push(
        <span key={at} className={`token-${kind}`}>
          {inside}
        </span>,
      );
    at += text.length;
  }
  return nodes;
}
