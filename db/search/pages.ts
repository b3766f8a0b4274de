import type { SearchFilter, SearchResult, SearchSection } from './search-request.ts';
import type { Queryable } from '../pool.ts';
import { filterValues, namesOf, passes } from './filter.ts';

import type { OpenPage } from './open-pages.ts';
import { LINKED, linkTo, type LinkedPage } from './page-url.ts';

interface PageSections extends LinkedPage {
  title: string;
  sections: SearchSection[] | null;
}

/**
 * A page's Markdown by site path, or undefined if there is none, or none that the filter lets
 * through.
 */
export async function readPage(
  db: Queryable,
  projectId: string,
  path: string,
  filter?: SearchFilter,
): Promise<OpenPage | undefined> {
  const { paths, urls } = namesOf(path);
  const { rows } = await db.query<OpenPage>(
    `select p.path, p.url, p.title, p.description, p.content from search_pages p
      where p.project_id = $1 and (p.path = any($5::text[]) or p.url = any($6::text[]))
        and p.live and ${passes('$2', '$3', '$4')}
      order by array_position($5, p.path) limit 1`,
    [projectId, ...filterValues(filter), paths, urls],
  );
  return rows[0];
}

/** Whether there is a page at a site path, or an address as the site writes it, for this reader. */
export async function hasPage(
  db: Queryable,
  { projectId, path, filter }: { projectId: string; path: string; filter?: SearchFilter },
): Promise<boolean> {
  const { paths, urls } = namesOf(path);
  const { rowCount } = await db.query(
    `select from search_pages p
      where p.project_id = $1 and p.live and ${passes('$2', '$3', '$4')}
        and (p.path = any($5::text[]) or p.url = any($6::text[])) limit 1`,
    [projectId, ...filterValues(filter), paths, urls],
  );
  return rowCount === 1;
}

/**
 * A whole page in its sections, as search would give it; undefined if there is none that the filter
 * lets through.
 */
export async function readSections(
  db: Queryable,
  request: { projectId: string; path: string; filter?: SearchFilter },
): Promise<SearchResult | undefined> {
  const page = await readPage(db, request.projectId, request.path, request.filter);
  if (!page) return undefined;
  const {
    rows: [row],
  } = await db.query<PageSections>(
    `select p.title, ${LINKED},
            (select json_agg(
                      json_build_object('anchor', s.anchor, 'heading', s.heading, 'text', s.text)
                      order by s.n)
               from search_sections s where s.page_id = p.id) as sections
       from search_pages p
      where p.project_id = $1 and p.path = $2 and p.live`,
    [request.projectId, page.path],
  );
  if (!row) return undefined;
  return {
    path: page.path,
    url: linkTo(row),
    title: row.title,
    score: 0,
    sections: row.sections ?? [],
  };
}

/** Where a project's pages are: with `path` and `url` of one, what `linkTo` reads. */
export async function readSitePlace(
  db: Queryable,
  projectId: string,
): Promise<Omit<LinkedPage, 'path' | 'url'>> {
  const { rows } = await db.query<LinkedPage>(
    `select ${LINKED} from (values ($1, '', null)) as p (project_id, path, url)`,
    [projectId],
  );
  const { site_url, base_path, shown_at } = rows[0]!;
  return { site_url, base_path, shown_at };
}
