import type { SearchFilter, SearchResult, SearchSection } from './search-request.ts';
import type { Queryable } from '../pool.ts';
import { filterValues, namesOf, passes, languageTag, preferred } from './filter.ts';
import { LINKED, type LinkedPage, linkTo } from './page-url.ts';
import { SECTIONS_OF_RESULT } from './number-of-results.ts';

/** Of a question's words, the rarest that count. */
const MOST_TERMS = 24;
/**
 * Postings that may be read to choose candidates, rarest words first; the word that passes the
 * limit is still read whole. Words beyond it only score: at 10,000 pages that halves the time, and
 * on sites of 1,000 a limit of 800 moved no result.
 */
const ENOUGH_POSTINGS = 5_000;

/**
 * The pages that fit `words` best, each with its best sections; empty if no word is in the index.
 * BM25 over sections and pages. The rarest words choose the candidates by page, all words then
 * score these and their sections; words that stand side by side in a page's best section raise it
 * most. One statement, so that a swap of the index cannot be seen halfway.
 */
export async function rankPages(
  db: Queryable,
  request: {
    projectId: string;
    words: string[];
    /** What the question may be written in, the likeliest first. */
    languages: readonly string[];
    filter?: SearchFilter | undefined;
    pageSize: number;
    currentPath?: string | undefined;
  },
): Promise<SearchResult[]> {
  const { projectId, words, languages, filter, pageSize, currentPath } = request;
  const here = currentPath === undefined ? null : namesOf(currentPath);
  const { rows } = await db.query<
    LinkedPage & { title: string; score: number; sections: SearchSection[] }
  >({
    name: 'search',
    text: RANK,
    values: [
      projectId,
      words,
      ...filterValues(filter),
      pageSize,
      here?.paths ?? [],
      here?.urls ?? [],
      languages,
    ],
  });
  return rows.map(({ title, score, sections, ...page }) => ({
    ...{ path: page.path, url: linkTo(page), title, score, sections },
  }));
}

const RANK = `
with asked as materialized (
  select w.place, (ts_lexize('english_stem', w.word))[1] as stem
  from unnest($2::text[]) with ordinality as w (word, place)
), known as materialized (
  select t.id, t.stem, t.pages,
         ln(1 + (i.pages - t.pages + 0.5)::float8 / (t.pages + 0.5)::float8) as page_rarity,
         ln(1 + (i.sections - t.sections + 0.5)::float8 / (t.sections + 0.5)::float8)
           as section_rarity
  from search_indexes i join search_terms t on t.project_id = i.project_id
  where i.project_id = $1 and t.pages > 0 and t.stem in (select stem from asked)
  order by t.pages, t.id limit ${MOST_TERMS}
), terms as materialized (
  select *, sum(pages) over (order by pages, id rows unbounded preceding) - pages as rarer_postings
  from known
), phrases as materialized (
  select distinct
         tsquery_phrase(quote_literal(a.stem)::tsquery, quote_literal(b.stem)::tsquery)
         || tsquery_phrase(quote_literal(b.stem)::tsquery, quote_literal(a.stem)::tsquery) as query,
         least(a.section_rarity, b.section_rarity) as rarity
  from (
    select stem, lead(stem) over (order by place) as next from asked where stem is not null
  ) as pair
  join terms a on a.stem = pair.stem join terms b on b.stem = pair.next
  where a.id <> b.id
), here as materialized (
  -- The page that the reader is on; a path without a page still has neighbours.
  select coalesce(p.path, ($7::text[])[cardinality($7::text[])]) as path, p.language,
         case when p.old_version then p.version end as old_version
  from (values (1)) as one
  left join lateral (
    select p.path, p.language, p.version, p.old_version from search_pages p
    where p.project_id = $1 and p.live
      and (p.path = any($7::text[]) or p.url = any($8::text[]))
    order by array_position($7::text[], p.path) limit 1
  ) as p on true
), scope as materialized (
  -- The current page's old version, if any, and its language, else the question's, else the site's.
  select here.old_version, i.default_language, case when i.default_language is not null
                               then coalesce(here.language, asked.language, i.default_language)
                             end as language
  from search_indexes i cross join here
  left join lateral (
    select name as language
    from unnest($9::text[]) with ordinality as spoken (tag, place)
    join jsonb_array_elements_text(i.site -> 'languages') as name
      on split_part(${languageTag('name')}, '-', 1) = spoken.tag
    order by spoken.place, length(name), name limit 1
  ) as asked on true
  where i.project_id = $1
), found as materialized (
  select s.page_id, sum(t.page_rarity * s.weight) as score
  from terms t join search_postings s on s.term_id = t.id
  where t.rarer_postings < ${ENOUGH_POSTINGS}
  group by s.page_id
), candidates as materialized (
  select p.id, p.path,
         p.boost * case when p.path = here.path then 1.25
                        when starts_with(p.path, regexp_replace(here.path, '[^/]*$', '')) then 1.1
                        else 1 end as boost
  from found join search_pages p on p.id = found.page_id cross join here cross join scope
  where p.project_id = $1 and p.live and ${passes('$3', '$4', '$5')}
    and ${preferred('$3', '$4', 'scope')}
  order by found.score * p.boost desc limit greatest(50, 2 * $6::integer)
), probed as materialized (
  select c.id, t.page_rarity, t.section_rarity, s.weight, s.sections, s.weights
  from candidates c cross join terms t
  join search_postings s on s.page_id = c.id and s.term_id = t.id
), pages as (
  select id, sum(page_rarity * weight) as score,
         sum(page_rarity) / (select sum(page_rarity) from terms) as coverage
  from probed group by id
), sections as materialized (
  select id, n, score, row_number() over (partition by id order by score desc, n) as place
  from (select p.id, u.n, sum(p.section_rarity * u.weight) as score
        from probed p cross join lateral unnest(p.sections, p.weights) as u (n, weight)
        group by p.id, u.n) as scored
), ranked as materialized (
  select c.id, c.path,
         c.boost * (1 + 0.5 * pages.coverage) * (
           best.score + 0.2 * coalesce(second.score, 0) + 0.5 * pages.score
           + 3 * coalesce(
               (select sum(phrases.rarity) from phrases where text.words @@ phrases.query), 0)
         ) as score
  from candidates c
  join pages on pages.id = c.id
  join sections best on best.id = c.id and best.place = 1
  join search_sections text on text.page_id = c.id and text.n = best.n
  left join sections second on second.id = c.id and second.place = 2
  order by score desc, c.path limit $6
)
select ${LINKED}, p.title, r.score,
       (select json_agg(
                 json_build_object('anchor', s.anchor, 'heading', s.heading, 'text', s.text)
                 order by n.place)
        from sections n join search_sections s on s.page_id = n.id and s.n = n.n
        where n.id = r.id and n.place <= ${SECTIONS_OF_RESULT}) as sections
from ranked r join search_pages p on p.id = r.id order by r.score desc, r.path`;
