import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { Badge } from '../feedback/badge.tsx';
import { Counts } from './counts.tsx';

/** The id of a file in the page's address. */
export function fileAnchor(path: string): string {
  return `file-${encodeURIComponent(path)}`;
}

/** What a file is called, what happens to it, how much of it changed, and a line if it is folded. */
export function FileHead({ file, isFolded = false }: { file: FileDiff; isFolded?: boolean }) {
  const gist = isFolded ? gistOf(file) : '';
  return (
    <summary className="row-between">
      <span className="row">
        <span className="mono path">
          {file.from && `${file.from} → `}
          {file.path}
        </span>
        {file.change !== 'changed' && <Badge>{file.change}</Badge>}
        {gist !== '' && <span className="faint small clip">{gist}</span>}
      </span>
      <span className="row nowrap small">
        {!file.binary && <Counts additions={file.additions} deletions={file.deletions} />}
      </span>
    </summary>
  );
}

/** The first line that came, else the first that went. */
function gistOf({ lines }: FileDiff): string {
  const first = (mark: string) =>
    lines.find(line => line.startsWith(mark) && /[\p{L}\p{N}]/u.test(line.slice(1)));
  return (first('+') ?? first('-') ?? '').slice(1, 200).trim();
}
