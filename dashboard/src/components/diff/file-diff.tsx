import type { FileDiff } from '../../../../api/dashboard/contract/jobs.ts';
import { Badge } from '../feedback/badge.tsx';
import { Counts } from './counts.tsx';
import { FileLines } from './file-lines.tsx';
import type { Layout } from './layout.ts';

/** The id of a file in the page's address. */
export function fileAnchor(path: string): string {
  return `file-${encodeURIComponent(path)}`;
}

export function File({ file, layout }: { file: FileDiff; layout: Layout }) {
  return (
    <details className="card diff-file" id={fileAnchor(file.path)} open>
      <FileHead file={file} />
      <FileLines file={file} layout={layout} />
    </details>
  );
}

/** What a file is called, what happens to it, and how much of it changed. */
export function FileHead({ file }: { file: FileDiff }) {
  return (
    <summary className="row-between">
      <span className="row">
        <span className="mono path">
          {file.from && `${file.from} → `}
          {file.path}
        </span>
        {file.change !== 'changed' && <Badge>{file.change}</Badge>}
      </span>
      <span className="row nowrap small">
        {!file.binary && <Counts additions={file.additions} deletions={file.deletions} />}
      </span>
    </summary>
  );
}
