-- Deliveries are recorded with what they ask for, so that a process that dies loses none. Words: docs/architecture.md (glossary).

alter table github_deliveries
  add column news      jsonb,                           -- what is still to be done; null: nothing (any more)
  add column tried_at  timestamptz not null default now();
create index on github_deliveries (tried_at) where news is not null;

-- Repositories by the names under which projects and jobs know them: a renamed or transferred one keeps its id.
create table github_repository_names (
  name           text primary key,                      -- "owner/name", lower case
  repository_id  bigint,                                -- GitHub's; null: GitHub did not tell when it was asked
  checked_at     timestamptz not null default now()
);
create index on github_repository_names (repository_id);
