import type { HostKind } from '../../shared/host-kind.ts';
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
      where j.id in (select id from jobs where lower(repository) = any($2) and ref = any($4)
                     union select job_id from publications where commit = $3)
        and j.host = $1 and lower(j.repository) = any($2) and j.ref is not null
        and (j.preview_at is null
             or (j.preview_at <= $7
                 and ($6 = 'deployment' or j.preview_from = 'status' or j.preview_commit <> $3)))
        and (j.preview_url, j.preview_commit) is distinct from ($5::text, $3::text)
     returning pg_notify('job_events', j.id)`,
    [host, names, commit, branches, url, from, at],
  );
  return rowCount ?? 0;
}

/** A job whose newest commit has no preview yet. */
export interface Unpreviewed {
  jobId: string;
  repository: string;
  commit: string;
  /** Seconds since its turn ended. */
  age: number;
}

/** Those whose last turn ended within the last hour, newest first. */
export async function unpreviewedJobs(
  db: Queryable,
  host: HostKind,
  limit: number,
): Promise<Unpreviewed[]> {
  const { rows } = await db.query<Unpreviewed>(
    `select j.id as "jobId", j.repository, p.commit,
            extract(epoch from now() - j.finished_at)::float8 as age
       from jobs j
       join lateral (select commit from publications
                      where job_id = j.id and state = 'published'
                      order by created_at desc limit 1) p on true
      where j.host = $1 and j.state = 'completed' and j.archived_at is null
        and j.finished_at > now() - interval '1 hour'
        and j.preview_commit is distinct from p.commit
      order by j.finished_at desc limit $2`,
    [host, limit],
  );
  return rows;
}
