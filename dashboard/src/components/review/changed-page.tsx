import '../../styles/page-body.css';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import type { PageNode } from '../../../../api/dashboard/contract/page-tree.ts';
import { Loaded } from '../feedback/loaded.tsx';
import { PageTree } from '../reader/page-tree.tsx';
import { SourceProvider } from '../reader/site-source.ts';
import { plural } from '../text/format.tsx';
import type { FileNote } from './review-file.tsx';
import type { ReviewPages } from './review-source.ts';

/** Blocks around a change that are shown. */
const AROUND = 1;
/** So many blocks in a row without a change fold. */
const FOLDED_FROM = 3;

/** The page as it becomes, with what was added and removed marked in it. */
export function ChangedPage({
  file,
  pages,
  notes,
}: {
  file: FileDiff;
  pages: ReviewPages;
  notes: readonly FileNote[];
}) {
  const page = useQuery(pages.changed(file));
  return (
    <SourceProvider value={pages.site}>
      <Loaded query={page} lines={5}>
        {({ nodes }) => (
          <div className="page-body changed-page" role="region" aria-label={`Page ${file.path}`}>
            <Blocks nodes={nodes} notes={notes} />
          </div>
        )}
      </Loaded>
    </SourceProvider>
  );
}

/** Changed blocks and those beside them, each with its notes; the others on demand. */
function Blocks({ nodes, notes }: { nodes: readonly PageNode[]; notes: readonly FileNote[] }) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const texts = nodes.map(node => lettersOf(textOf(node)));
  const placed = notes.map(({ quote, note }) => {
    const words = lettersOf(quote);
    return { note, at: words === '' ? -1 : texts.findIndex(text => text.includes(words)) };
  });
  const notesAt = (i: number) => placed.flatMap(({ note, at }) => (at === i ? [note] : []));
  const changed = nodes.map((node, i) => isChanged(node) || notesAt(i).length > 0);
  const isNear = (i: number) =>
    changed.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(Boolean);
  const out: ReactNode[] = notesAt(-1);
  for (let i = 0; i < nodes.length; i += 1) {
    const isFirst = i === 0 || isNear(i - 1);
    const from = i;
    let end = i;
    if (isFirst) while (end < nodes.length && !isNear(end)) end += 1;
    if (end - i >= FOLDED_FROM && !opened.has(i)) {
      out.push(
        <button
          key={`gap ${i}`}
          type="button"
          className="show-lines"
          onClick={() => setOpened(old => new Set(old).add(from))}
        >
          Show {plural(end - i, 'unchanged block')}
        </button>,
      );
      i = end - 1;
    } else
      out.push(
        <Fragment key={i}>
          <PageTree nodes={nodes.slice(i, i + 1)} />
          {notesAt(i)}
        </Fragment>,
      );
  }
  return out;
}

function isChanged(node: PageNode): boolean {
  if (typeof node === 'string') return false;
  const { tag, attributes, children = [] } = node;
  return (
    attributes?.change !== undefined || tag === 'ins' || tag === 'del' || children.some(isChanged)
  );
}

function textOf(node: PageNode): string {
  if (typeof node === 'string') return node;
  return node.tokens?.map(([, text]) => text).join('') ?? node.children?.map(textOf).join('') ?? '';
}

/** A quote can be of the source: its marks are not in the page. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
