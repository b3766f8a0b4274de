-- The GitHub App that was created in the dashboard. Words: docs/architecture.md (glossary).

create table github_app (
  is_only     boolean primary key default true check (is_only),  -- one row
  app_id      text not null,
  sealed      bytea not null,                      -- its keys and secrets, encrypted with ENCRYPTION_KEY
  created_at  timestamptz not null default now()
);

-- On the way to GitHub, an App can be created.
alter table github_ways drop constraint github_ways_purpose_check;
alter table github_ways add constraint github_ways_purpose_check
  check (purpose in ('install', 'authorize', 'create_app'));
