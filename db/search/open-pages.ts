import type { Queryable } from '../pool.ts';

/** A page and its Markdown. */
export interface OpenPage {
  path: string;
  /** As the site writes it; null: the path. */
  url: string | null;
  title: string;
  description: string;
  /** '' if it was not asked for. */
  content: string;
}

/** Pages per query: a large site is never in memory as a whole. */
const BATCH = 100;

/**
 * The pages that searches find without a filter, in the order of the navigation and in batches:
 * none that is hidden, for groups only, of an old version or of another language than the site's
 * own.
 */
export async function* listOpenPages(
  db: Queryable,
  projectId: string,
  { withContent = false } = {},
): AsyncGenerator<OpenPage[]> {
  let after: [place: number, path: string] = [-1, ''];
  for (;;) {
    const { rows } = await db.query<OpenPage & { place: number }>(
      `select p.path, p.url, p.title, p.description, case when $4 then p.content else '' end as content,
              coalesce(p.place, 0) as place
         from search_pages p join search_indexes i on i.project_id = p.project_id
        where p.project_id = $1 and p.live and p.searchable and p.groups is null
          and not p.old_version
          and (p.language is null or i.default_language is null or p.language = i.default_language)
          and (coalesce(p.place, 0), p.path) > ($2::integer, $3::text)
        order by coalesce(p.place, 0), p.path limit ${BATCH}`,
      [projectId, ...after, withContent],
    );
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = [last.place, last.path];
  }
}

/**
 * Those of some site paths that are pages which everybody may read, with the address that the site
 * gives each (null: its path).
 */
export async function pathsOfOpenPages(
  db: Queryable,
  projectId: string,
  paths: readonly string[],
): Promise<Map<string, string | null>> {
  const { rows } = await db.query<{ path: string; url: string | null }>(
    `select path, url from search_pages
      where project_id = $1 and path = any($2::text[]) and live and groups is null`,
    [projectId, paths],
  );
  return new Map(rows.map(({ path, url }) => [path, url]));
}

/** What the home page says of itself; '' if there is none that everybody may read. */
export async function describeHome(db: Queryable, projectId: string): Promise<string> {
  const { rows } = await db.query<{ description: string }>(
    `select description from search_pages
      where project_id = $1 and path = '/' and live and searchable and groups is null`,
    [projectId],
  );
  return rows[0]?.description ?? '';
}
