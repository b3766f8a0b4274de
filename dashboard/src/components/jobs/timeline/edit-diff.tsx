import { useMemo } from 'react';
import type { ShownRow } from '../../../data/diff/diff-context.ts';
import { diffRows } from '../../../data/diff/diff-rows.ts';
import { lineDiff } from '../../../data/diff/line-diff.ts';
import { NO_NOTES, unifiedRows } from '../../diff/diff-lines.tsx';
import { useColours } from '../../diff/use-colours.ts';

interface Edit {
  path: string;
  before: string;
  after: string;
  /** Where, if the texts do not say it. */
  place?: string;
}

/** What a call changes, as its arguments say it; undefined for calls that edit no text. */
export function editOf(toolName: string, args: Record<string, unknown>): Edit | undefined {
  const text = (name: string) => (typeof args[name] === 'string' ? args[name] : undefined);
  const path = text('path') ?? '';
  if (toolName === 'str_replace' && text('old_str') !== undefined)
    return { path, before: text('old_str') ?? '', after: text('new_str') ?? '' };
  if (toolName === 'create' && text('file_text') !== undefined)
    return { path, before: '', after: text('file_text') ?? '' };
  if (toolName === 'insert' && text('insert_text') !== undefined)
    return {
      path,
      before: '',
      after: text('insert_text') ?? '',
      place: `After line ${String(args['insert_line'])}`,
    };
  return undefined;
}

export function EditDiff({ edit }: { edit: Edit }) {
  const rows = useMemo(() => rowsOf(edit), [edit]);
  const colours = useColours(edit.path, rows);
  return (
    <div className="call-lines" tabIndex={0} role="region" aria-label="Edit">
      {edit.place && <p className="call-place faint small">{edit.place}</p>}
      <table className="diff diff-edit">
        <tbody>{unifiedRows(rows, { colours, notes: NO_NOTES, gap: () => null })}</tbody>
      </table>
    </div>
  );
}

function rowsOf({ before, after }: Edit): ShownRow[] {
  const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/\n$/, '');
  const lines =
    before === ''
      ? plain(after)
          .split('\n')
          .map(line => `+${line}`)
      : lineDiff(plain(before), plain(after)).filter(line => after !== '' || line !== '+');
  return diffRows(lines).filter(row => row.type !== 'hunk');
}
