import type { Queryable } from '../pool.ts';
import type { ReportPeriod } from './question-report.ts';

/** A key for readers is public: more queries than these of a project and day are not noted. */
const MOST_PER_DAY = 1_000;
const MOST_CHARACTERS = 200;

/** Notes a query that no page matches, without who asked. */
export async function noteSearchWithoutHits(
  db: Queryable,
  projectId: string,
  query: string,
): Promise<void> {
  const words = query.toLowerCase().replace(/\s+/g, ' ').trim();
  await db.query(
    `insert into searches_without_hits as s (project_id, query)
     select $1, $2
      where (select count(*) from searches_without_hits
              where project_id = $1 and day = (now() at time zone 'UTC')::date) < $3
         or exists (select from searches_without_hits where project_id = $1 and query = $2
                       and day = (now() at time zone 'UTC')::date)
     on conflict (project_id, day, query) do update set times = s.times + 1`,
    [projectId, [...words].slice(0, MOST_CHARACTERS).join(''), MOST_PER_DAY],
  );
}

export interface SearchWithoutHits {
  query: string;
  times: number;
}

/**
 * Those of the period, most often first. A page that searches while the reader types asks for each
 * beginning, too: a query that another one, asked as often, continues is left out.
 */
export async function searchesWithoutHits(
  db: Queryable,
  projectId: string,
  { from, until }: ReportPeriod,
  limit: number,
): Promise<SearchWithoutHits[]> {
  const { rows } = await db.query<SearchWithoutHits>(
    `select query, times
       from (select query, sum(times)::int as times,
                    lead(query) over following as next, lead(sum(times)) over following as "nextTimes"
               from searches_without_hits
              where project_id = $1 and day >= ($2::timestamptz at time zone 'UTC')::date
                and day < $3::timestamptz at time zone 'UTC'
              group by query
             window following as (order by query collate "C")) s
      where next is null or not starts_with(next, query) or times > "nextTimes"
      order by times desc, query limit $4`,
    [projectId, from, until, limit],
  );
  return rows;
}

/** Deletes up to `limit` of days so long ago. How many it were. */
export async function deleteOldSearches(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from searches_without_hits where ctid = any(array(
       select ctid from searches_without_hits
        where day < (now() at time zone 'UTC')::date - $1::int order by day limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}
