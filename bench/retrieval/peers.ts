import lunr from 'lunr';
import MiniSearch from 'minisearch';
import type { Pool } from '../../db/pool.ts';
import { words } from '../../search/words.ts';
import type { CorpusPage, Question, QuestionSet, Ranker } from './set.ts';

/**
 * What every peer indexes: a section each, with its page's title and path. Results are pages, by
 * their best section.
 */
interface SectionDocument {
  id: number;
  page: string;
  title: string;
  heading: string;
  path: string;
  text: string;
}

function documents(pages: CorpusPage[]): SectionDocument[] {
  return pages
    .flatMap(page =>
      page.sections.map(section => ({
        page: page.id,
        title: page.title,
        path: page.id,
        heading: [...section.crumbs, section.heading].join(' '),
        text: `${section.text}\n${section.code}`,
      })),
    )
    .map((document, id) => ({ id, ...document }));
}

/** One index a site, made when its first question comes. */
function bySite(
  set: QuestionSet,
  build: (sections: SectionDocument[]) => (query: string) => (string | undefined)[],
): Ranker {
  const indexes = new Map<string, (query: string) => (string | undefined)[]>();
  for (const [site, pages] of set.sites) indexes.set(site, build(documents(pages)));
  return ({ site, query }) => distinct(indexes.get(site)?.(query) ?? []);
}

function distinct(pages: (string | undefined)[]): string[] {
  return [...new Set(pages)].filter(page => page !== undefined);
}

const FIELDS = ['title', 'heading', 'path', 'text'];

/** As its documentation's first example has it. */
export function miniSearch(set: QuestionSet): Ranker {
  return bySite(set, sections => {
    const index = new MiniSearch<SectionDocument>({ fields: FIELDS, storeFields: ['page'] });
    index.addAll(sections);
    return query => index.search(query).map(result => String(result.page));
  });
}

/**
 * With all that made it better on this set: our splitting of identifiers, a stemmer, stop words,
 * boosts.
 */
export function tunedMiniSearch(set: QuestionSet): Ranker {
  const stems = new Map<string, string | null>();
  const stem = (word: string): string | null => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const token = lunr.stopWordFilter(new lunr.Token(word, {}));
    const found = token ? lunr.stemmer(new lunr.Token(word, {})).toString() : null;
    stems.set(word, found);
    return found;
  };
  return bySite(set, sections => {
    const index = new MiniSearch<SectionDocument>({
      fields: FIELDS,
      storeFields: ['page'],
      tokenize: words,
      processTerm: stem,
      searchOptions: { boost: { title: 2, heading: 1.5 } },
    });
    index.addAll(sections);
    return query => index.search(query).map(result => String(result.page));
  });
}

export function lunrDefaults(set: QuestionSet): Ranker {
  return bySite(set, sections => {
    const index = lunr(function build() {
      this.ref('id');
      for (const field of FIELDS) this.field(field);
      for (const section of sections) this.add(section);
    });
    return query =>
      index
        .query(builder => {
          for (const token of lunr.tokenizer(query)) builder.term(token.toString(), {});
        })
        .map(result => sections[Number(result.ref)]?.page);
  });
}

/** Postgres' own ranking: all words first, then any of them, over weighted sections. */
export async function tsRank(pool: Pool, set: QuestionSet): Promise<Ranker> {
  await pool.query('create table ts_rank_peer (site text, page text, document tsvector)');
  for (const [site, pages] of set.sites) {
    const sections = documents(pages);
    await pool.query(
      `insert into ts_rank_peer
       select $1, s.page,
              setweight(to_tsvector('english', s.title), 'A')
              || setweight(to_tsvector('english', s.heading), 'B')
              || setweight(to_tsvector('english',
                   regexp_replace(s.path, '[^[:alnum:]]+', ' ', 'g')), 'B')
              || setweight(to_tsvector('english', s.text), 'D')
       from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
            as s (page, title, heading, path, text)`,
      [
        site,
        sections.map(s => s.page),
        sections.map(s => s.title),
        sections.map(s => s.heading),
        sections.map(s => s.path),
        sections.map(s => s.text.replaceAll('\0', '')),
      ],
    );
  }
  await pool.query('create index on ts_rank_peer using gin (document)');
  await pool.query('vacuum (analyze) ts_rank_peer');
  return async ({ site, query }: Question) => {
    const { rows } = await pool.query<{ page: string }>(
      `with asked as (
         select websearch_to_tsquery('english', $2) as strict,
                replace(plainto_tsquery('english', $2)::text, '&', '|')::tsquery as loose)
       select page from ts_rank_peer, asked where site = $1 and document @@ loose
       group by page
       order by
         coalesce(max(ts_rank_cd(document, strict)) filter (where document @@ strict), 0) desc,
         max(ts_rank_cd(document, loose)) desc
       limit 30`,
      [site, query],
    );
    return rows.map(row => row.page);
  };
}
