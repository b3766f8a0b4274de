import { Link } from '@tanstack/react-router';
import type { Diff } from '../../../../api/dashboard/contract/jobs.ts';
import { fileAnchor } from '../diff/file-diff.tsx';
import { Counts } from '../diff/counts.tsx';
import { plural } from '../text/format.tsx';

/** The files that a job has changed so far, each a link to its changes. */
export function ChangedFiles({
  diff: { files, complete },
  params,
}: {
  diff: Diff;
  params: { organization: string; domain: string; jobId: string };
}) {
  return (
    <section className="card card-pad section" aria-label="Changed files">
      <h2>
        {plural(files.length, 'changed file')}
        {complete ? '' : ' or more'}
      </h2>
      <ul className="changed-files small">
        {files.map(file => (
          <li key={file.path}>
            <Link
              to="/$organization/$domain/jobs/$jobId"
              params={params}
              search={{ view: 'changes' }}
              hash={fileAnchor(file.path)}
              className="mono clip"
              title={file.path}
            >
              <bdi>{file.path}</bdi>
            </Link>
            <span className="nowrap">
              <Counts {...file} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
