-- GitHub. Words: docs/architecture.md (glossary).

-- An installation of the GitHub App belongs to the organization whose user proved access to it.
create table github_installations (
  id               bigint primary key,                  -- GitHub's
  organization_id  text not null references organizations on delete cascade,
  account          text not null,                       -- login of the user or organization on GitHub, as it was then
  created_at       timestamptz not null default now()
);
create index on github_installations (organization_id);

-- Deliveries that were taken: GitHub repeats one under the same id.
create table github_deliveries (
  id           text primary key,
  received_at  timestamptz not null default now()
);
create index on github_deliveries (received_at);

-- What became of the pull requests that jobs opened, as GitHub told us.
create table github_pull_requests (
  repository   text not null,                           -- "owner/name", lower case
  number       integer not null,
  state        text not null check (state in ('open', 'merged', 'closed')),
  updated_at   timestamptz not null default now(),
  primary key (repository, number)
);
