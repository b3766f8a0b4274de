-- The search index: BM25 over sections and pages, in plain SQL.
-- A page's rows are written once and never change. New ones are staged (live = false); one short transaction then
-- makes them live, deletes those they replace, and brings the counts up to date: readers see one index or the other.

create table search_indexes (
  project_id  text primary key references projects on delete cascade,
  commit      text not null,
  pages       integer not null,                         -- live and searchable: what BM25 calls N
  sections    integer not null,
  built_at    timestamptz not null default now()
);

create table search_pages (
  id          integer generated always as identity primary key,
  project_id  text not null references projects on delete cascade,
  path        text not null,                            -- site path
  key         text not null,                            -- hash of all that the page's rows are made of
  live        boolean not null default false,
  searchable  boolean not null,                         -- false: read by path only
  title       text not null,
  version     text,
  language    text,
  groups      text[],                                   -- null: for everybody
  boost       real not null,
  content     text not null,                            -- Markdown without frontmatter
  unique (project_id, path, key)
);
create unique index on search_pages (project_id, path) where live;
-- What a query asks of every page that holds one of its words; the rows themselves are long.
create index on search_pages (project_id, id) include (path, boost, version, language, groups) where live;

create table search_sections (
  page_id  integer not null references search_pages on delete cascade,
  n        smallint not null,
  anchor   text,
  heading  text not null,
  text     text not null,
  words    tsvector not null,                           -- stems and their places, to see which stand side by side
  primary key (page_id, n)
);

-- How many live pages and sections hold a stem.
create table search_terms (
  id          integer generated always as identity primary key,
  project_id  text not null references projects on delete cascade,
  stem        text not null,
  pages       integer not null default 0,
  sections    integer not null default 0,
  unique (project_id, stem)
);

-- Weights are BM25's saturated term frequencies, summed over the fields; a query multiplies them by the stem's rarity.
create table search_postings (
  page_id   integer not null references search_pages on delete cascade,
  term_id   integer not null,
  weight    real not null,                              -- of the page as a whole
  sections  smallint[] not null,                        -- search_sections.n
  weights   real[] not null,                            -- of each of those
  primary key (page_id, term_id)
);
create index on search_postings (term_id, page_id) include (weight);

-- Where embeddings are on: what a section means, as little-endian 32-bit floats of length 1.
create table search_vectors (
  page_id  integer not null references search_pages on delete cascade,
  n        smallint not null,
  vector   bytea not null,
  primary key (page_id, n)
);
