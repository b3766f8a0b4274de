-- The generator that builds a site; null: found by its files at each indexing.
alter table projects add column site_kind text;

-- What the last indexing found: kind, address rule, languages. Null: indexed by an older release.
alter table search_indexes add column site jsonb;
-- Pages of other languages are found only where they are asked for; null: of all languages.
alter table search_indexes add column default_language text;

-- As the site writes it, with base path and ending; null: the path.
alter table search_pages add column url text;
-- Found only where its version is asked for.
alter table search_pages add column old_version boolean not null default false;
-- Other languages that have this page.
alter table search_pages add column translations text[] not null default '{}';

create index on search_pages (project_id, url) where live and url is not null;
drop index search_pages_project_id_id_path_boost_version_language_grou_idx;
create index search_pages_of_words on search_pages (project_id, id)
  include (path, boost, version, language, groups, old_version, translations) where live;
