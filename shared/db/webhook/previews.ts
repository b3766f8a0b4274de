import type { HostKind } from '../../host-kind.ts';
import { TOUCH_JOB } from '../jobs/job.ts';
import type { Queryable } from '../pool.ts';

/** Where a commit or branch can be seen as a site. */
export interface NewPreview {
  /** Of the repository, in lower case. */
  names: readonly string[];
  commit: string;
  branches: readonly string[];
  url: string;
  from: 'deployment' | 'status';
  at: string;
}

/**
 * Notes the preview of the jobs whose branch or published commit it is; how many. The newest counts,
 * and of one commit a deployment before a status.
 */
export async function notePreview(
  db: Queryable,
  host: HostKind,
  { names, commit, branches, url, from, at }: NewPreview,
): Promise<number> {
  const { rowCount } = await db.query(
    `${TOUCH_JOB}, preview_url = $5, preview_from = $6, preview_commit = $3, preview_at = $7
      where j.host = $1 and lower(j.repository) = any($2) and j.ref is not null
        and (j.ref = any($4)
             or j.id in (select job_id from publications where commit = $3))
        and (j.preview_at is null
             or (j.preview_at <= $7
                 and ($6 = 'deployment' or j.preview_from = 'status' or j.preview_commit <> $3)))
        and (j.preview_url, j.preview_commit) is distinct from ($5::text, $3::text)
     returning pg_notify('job_events', j.id)`,
    [host, names, commit, branches, url, from, at],
  );
  return rowCount ?? 0;
}
