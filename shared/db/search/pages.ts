import type { SearchFilter, SearchResult, SearchSection } from '../../search/search-request.ts';
import { cleanSitePath } from '../../site/page-path.ts';
import type { Queryable } from '../pool.ts';
import { filterValues, passes, plain } from './filter.ts';

/**
 * A page's Markdown by site path, or undefined if there is none, or none that the filter lets
 * through.
 */
export async function readPage(
  db: Queryable,
  projectId: string,
  path: string,
  filter?: SearchFilter,
): Promise<{ path: string; content: string } | undefined> {
  const { rows } = await db.query<{ path: string; content: string }>(
    `select p.path, p.content from search_pages p
      where p.project_id = $1 and p.path = $5 and p.live and ${passes('$2', '$3', '$4')}`,
    [projectId, ...filterValues(filter), plain(cleanSitePath(path))],
  );
  return rows[0];
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
  } = await db.query<{ title: string; site_url: string | null; sections: SearchSection[] | null }>(
    `select p.title, (select site_url from projects where id = $1) as site_url,
            (select json_agg(
                      json_build_object('anchor', s.anchor, 'heading', s.heading, 'text', s.text)
                      order by s.n)
               from search_sections s where s.page_id = p.id) as sections
       from search_pages p where p.project_id = $1 and p.path = $2 and p.live`,
    [request.projectId, page.path],
  );
  if (!row) return undefined;
  return {
    path: page.path,
    url: `${row.site_url ?? ''}${page.path}`,
    title: row.title,
    score: 0,
    sections: row.sections ?? [],
  };
}
