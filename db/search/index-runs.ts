import type { SiteFacts } from './published-site.ts';
import type { Queryable } from '../pool.ts';

/** Where the newest indexing of a project is. */
export interface IndexRun {
  startedAt: Date;
  /** Null while it runs. */
  finishedAt: Date | null;
  commit: string | null;
  pagesRead: number;
  /** Null until the site was read. */
  pagesTotal: number | null;
  /** What was found, before the pages are read. */
  site: SiteFacts | null;
  /** Why the last attempt failed; null: it did not. */
  failure: string | null;
}

const COLUMNS = `started_at as "startedAt", finished_at as "finishedAt", commit,
  pages_read as "pagesRead", pages_total as "pagesTotal", site, failure`;

export async function readIndexRun(db: Queryable, projectId: string): Promise<IndexRun | null> {
  const { rows } = await db.query<IndexRun>(
    `select ${COLUMNS} from index_runs where project_id = $1`,
    [projectId],
  );
  return rows[0] ?? null;
}

/** A new attempt. Why the one before failed is kept until this one ends. */
export async function beginIndexRun(db: Queryable, projectId: string): Promise<void> {
  await db.query(
    `insert into index_runs (project_id) values ($1)
     on conflict (project_id) do update
        set started_at = now(), finished_at = null, commit = null, pages_read = 0,
            pages_total = null, site = null`,
    [projectId],
  );
}

/** What the attempt found at a commit. */
export async function noteSite(
  db: Queryable,
  projectId: string,
  commit: string,
  site: SiteFacts,
): Promise<void> {
  await db.query(
    `update index_runs set commit = $2, site = $3, pages_total = ($3::jsonb ->> 'pages')::integer
      where project_id = $1`,
    [projectId, commit, site],
  );
}

export async function notePagesRead(
  db: Queryable,
  projectId: string,
  pagesRead: number,
): Promise<void> {
  await db.query('update index_runs set pages_read = $2 where project_id = $1', [
    projectId,
    pagesRead,
  ]);
}

/** `failure`: a sentence for people; null: it succeeded. */
export async function endIndexRun(
  db: Queryable,
  projectId: string,
  failure: string | null,
): Promise<void> {
  await db.query(
    `update index_runs
        set finished_at = now(), failure = $2::text,
            pages_read = case when $2::text is null then coalesce(pages_total, 0) else pages_read end
      where project_id = $1`,
    [projectId, failure],
  );
}

/** Where an indexing found the docs, if nobody has said where they are. */
export async function adoptDocsFolder(
  db: Queryable,
  id: string,
  docsFolder: string,
): Promise<void> {
  await db.query(
    `update projects set docs_folder = $2
      where id = $1 and docs_folder_detected and docs_folder <> $2`,
    [id, docsFolder],
  );
}

export interface FoundSite {
  domain: string;
  /** Null: it was not read yet. */
  site: SiteFacts | null;
  failure: string | null;
  /** Why its published site could not be looked at. */
  awayBecause: string | null;
}

/** What was found of every project's site. */
export async function listFoundSites(db: Queryable): Promise<FoundSite[]> {
  const { rows } = await db.query<FoundSite>(
    `select p.domain, coalesce(r.site, i.site) as site, r.failure,
            s.failure as "awayBecause"
       from projects p
       left join index_runs r on r.project_id = p.id
       left join search_indexes i on i.project_id = p.id
       left join published_sites s on s.project_id = p.id and s.site_url = p.site_url
      where p.deleted_at is null order by p.created_at, p.id`,
  );
  return rows;
}
