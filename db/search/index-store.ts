import type { Queryable, Transaction } from '../pool.ts';
import type { IndexPage, WeighedPage } from './index-page.ts';
import type { SiteFacts } from './published-site.ts';

/** A page that is in the database: live, or staged by an indexer. */
interface StoredPage {
  id: number;
  live: boolean;
}

/** The stored pages of a project by `<key> <path>`. */
export async function storedPages(
  db: Queryable,
  projectId: string,
): Promise<Map<string, StoredPage>> {
  const { rows } = await db.query<StoredPage & { path: string; key: string }>(
    'select id, live, path, key from search_pages where project_id = $1',
    [projectId],
  );
  return new Map(rows.map(({ key, path, id, live }) => [`${key} ${path}`, { id, live }]));
}

/** Stems of words by PostgreSQL's English dictionary; null for stop words. */
export async function stemWords(
  db: Queryable,
  words: Iterable<string>,
): Promise<Map<string, string | null>> {
  const { rows } = await db.query<{ word: string; stem: string | null }>(
    `select word, (ts_lexize('english_stem', word))[1] as stem from unnest($1::text[]) as word`,
    [[...words]],
  );
  return new Map(rows.map(row => [row.word, row.stem]));
}

/**
 * Ids of stems, made if there are none. Sorted, so that two indexers never wait for each other
 * in a circle.
 */
export async function termIds(
  db: Queryable,
  projectId: string,
  stems: Iterable<string>,
): Promise<Map<string, number>> {
  const sorted = [...new Set(stems)].sort();
  await db.query(
    `insert into search_terms (project_id, stem)
     select $1, s.stem from unnest($2::text[]) as s (stem)
     where not exists (select from search_terms t where t.project_id = $1 and t.stem = s.stem)
     on conflict do nothing`,
    [projectId, sorted],
  );
  const { rows } = await db.query<{ id: number; stem: string }>(
    'select id, stem from search_terms where project_id = $1 and stem = any($2)',
    [projectId, sorted],
  );
  return new Map(rows.map(row => [row.stem, row.id]));
}

/** Stages a page: its id, or undefined if another indexer has staged the same one. */
export async function insertPage(
  tx: Transaction,
  projectId: string,
  key: string,
  page: IndexPage,
): Promise<number | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into search_pages (project_id, path, key, searchable, title, version, language, groups,
                               boost, content, url, old_version, translations, description,
                               crumbs)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (project_id, path, key) do nothing returning id`,
    [
      projectId,
      page.path,
      key,
      page.searchable,
      page.title,
      page.version,
      page.language,
      page.groups,
      page.boost,
      page.content,
      page.url ?? null,
      page.oldVersion ?? false,
      page.translations ?? [],
      page.description,
      page.crumbs ?? [],
    ],
  );
  return rows[0]?.id;
}

export async function insertSections(
  tx: Transaction,
  pageId: number,
  page: IndexPage,
  weighed: WeighedPage,
): Promise<void> {
  await tx.query(
    `insert into search_sections (page_id, n, anchor, heading, text, words)
     select $1, s.n - 1, s.anchor, s.heading, s.text, s.words::tsvector
     from unnest($2::text[], $3::text[], $4::text[], $5::text[])
            with ordinality as s (anchor, heading, text, words, n)`,
    [
      pageId,
      page.sections.map(section => section.anchor),
      page.sections.map(section => section.heading),
      page.sections.map(section => section.text),
      weighed.texts.map(({ heading, prose }) => placedStems(heading, prose)),
    ],
  );
}

/** Terms are named by stem: `terms` has every one of them. */
export async function insertPostings(
  tx: Transaction,
  pageId: number,
  weighed: WeighedPage,
  terms: Map<string, number>,
): Promise<void> {
  const postings = [...weighed.postings];
  await tx.query(
    `insert into search_postings (page_id, term_id, weight, sections, weights)
     select $1, p.term_id, p.weight, p.sections::smallint[], p.weights::real[]
     from unnest($2::integer[], $3::real[], $4::text[], $5::text[])
            as p (term_id, weight, sections, weights)`,
    [
      pageId,
      postings.map(([stem]) => terms.get(stem)),
      postings.map(([, posting]) => posting.weight),
      postings.map(([, posting]) => arrayLiteral(posting.sections)),
      postings.map(([, posting]) => arrayLiteral(posting.weights)),
    ],
  );
}

/**
 * Makes the pages with these names the project's index, in this order, and deletes the others. An
 * index that is not complete has those that are stored; for a complete one, false if one is not
 * (another indexer has deleted it): the caller's transaction must then be rolled back.
 */
export async function swapPages(
  tx: Transaction,
  projectId: string,
  names: readonly string[],
  index: { commit: string; facts: SiteFacts | null; complete: boolean },
): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `search index of ${projectId}`,
  ]);
  // The one look at the pages: what another indexer stages after it stays.
  const stored = await storedPages(tx, projectId);
  const wanted = names.flatMap(name => stored.get(name) ?? []);
  if (index.complete && wanted.length < names.length) return false;
  const pageIds = wanted.map(({ id }) => id);
  const kept = new Set(pageIds);
  const gone = [...stored.values()].filter(({ id }) => !kept.has(id));
  await countTerms(
    tx,
    gone.flatMap(({ id, live }) => (live ? [id] : [])),
    wanted.flatMap(({ id, live }) => (live ? [] : [id])),
  );
  await tx.query('delete from search_pages where id = any($1::integer[])', [
    gone.map(({ id }) => id),
  ]);
  await tx.query(
    `update search_pages p set live = true, place = wanted.place
       from unnest($1::integer[]) with ordinality as wanted (id, place)
      where p.id = wanted.id and (not p.live or p.place is distinct from wanted.place)`,
    [pageIds],
  );
  await tx.query(
    `insert into search_indexes (project_id, commit, site, default_language, complete, pages,
                                 sections)
     select $1, $2, $3, $3::jsonb ->> 'defaultLanguage', $4, count(distinct p.id), count(s.n)
       from search_pages p left join search_sections s on s.page_id = p.id
      where p.project_id = $1 and p.live and p.searchable
     on conflict (project_id) do update
        set commit = excluded.commit, pages = excluded.pages, sections = excluded.sections,
            site = excluded.site, default_language = excluded.default_language,
            complete = excluded.complete, built_at = now()`,
    [projectId, index.commit, index.facts, index.complete],
  );
  return true;
}

async function countTerms(tx: Transaction, oldPages: number[], newPages: number[]): Promise<void> {
  await tx.query(
    `with change as (
       select term_id, sum(case when page_id = any($2::integer[]) then 1 else -1 end) as pages,
              sum(case when page_id = any($2::integer[]) then cardinality(sections)
                       else -cardinality(sections) end) as sections
         from search_postings where page_id = any($1::integer[] || $2::integer[]) group by term_id)
     update search_terms t
        set pages = t.pages + change.pages, sections = t.sections + change.sections
       from change
      where t.id = change.term_id and (change.pages <> 0 or change.sections <> 0)`,
    [oldPages, newPages],
  );
}

/**
 * After a swap: the planner's figures and the visibility map, which the index-only scans of a query
 * live on.
 */
export async function tidy(db: Queryable): Promise<void> {
  for (const table of ['search_postings', 'search_terms', 'search_pages', 'search_sections']) {
    await db.query(`vacuum (analyze) ${table}`);
  }
}

/** A tsvector's last position. */
const LAST_PLACE = 16_383;

/**
 * A tsvector of stems at their places, with a gap between heading and prose: they are not side by
 * side.
 */
function placedStems(heading: string[], prose: string[]): string {
  const places = new Map<string, number[]>();
  const place = (stem: string, at: number) => {
    const known = places.get(stem);
    if (known) known.push(at);
    else places.set(stem, [at]);
  };
  for (const [i, stem] of heading.entries()) place(stem, i + 1);
  const start = heading.length + 3;
  for (const [i, stem] of prose.slice(0, LAST_PLACE - start).entries()) place(stem, start + i);
  return [...places].map(([stem, at]) => `'${stem}':${at.join(',')}`).join(' ');
}

function arrayLiteral(numbers: number[]): string {
  return `{${numbers.join(',')}}`;
}
