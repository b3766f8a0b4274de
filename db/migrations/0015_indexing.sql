-- The docs folder was found by the site's files: each indexing may find another one.
alter table projects add column docs_folder_detected boolean not null default false;
-- What addresses of the site begin with; null: as its configuration says.
alter table projects add column base_path text;

-- Where the newest indexing of a project is.
create table index_runs (
  project_id   text primary key references projects on delete cascade,
  started_at   timestamptz not null default now(),
  finished_at  timestamptz,
  commit       text,
  pages_read   integer not null default 0,
  pages_total  integer,                                 -- null until the site was read
  site         jsonb,                                   -- what was found, before its pages are read
  failure      text                                     -- why the last attempt failed, for people
);

-- False while the first indexing of a site goes on: what was read so far can be searched.
alter table search_indexes add column complete boolean not null default true;
-- An example names its file as well.
update search_indexes
   set site = site || jsonb_build_object(
         'examples', '[]'::jsonb, 'navigation', null, 'unreadPages', null,
         'apiPages', 0)
 where site is not null;

-- For llms.txt: in which order, under which title, with which words.
alter table search_pages add column place integer;
alter table search_pages add column description text not null default '';
alter table search_pages add column crumbs text[] not null default '{}';
