-- The built-in repository host: the repositories themselves are bare git repositories under the data folder.

create table local_repositories (
  name            text primary key check (name ~ '^[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$' and name !~* '\.git$'),
  default_branch  text not null default 'main',
  public          boolean not null default false,       -- anyone who reaches the API may read it
  archived        boolean not null default false,       -- read-only
  protected       text[] not null default '{}',         -- branches that refuse a push
  created_at      timestamptz not null default now()
);
-- Each has a folder of its name, and some file systems do not tell case apart.
create unique index on local_repositories (lower(name));

create table local_pull_requests (
  repository    text not null references local_repositories on delete cascade,
  number        integer not null,
  token         text not null unique,                   -- unguessable: the page's address
  title         text not null,
  body          text not null,
  head          text not null,                          -- branch names
  base          text not null,
  draft         boolean not null default false,
  state         text not null default 'open' check (state in ('open', 'merged', 'closed')),
  head_commit   text not null,                          -- as last seen; of an open one the branch decides
  base_commit   text not null,                          -- the merge base that belongs to head_commit: where the diff begins
  merge_commit  text,                                   -- ours; null where the branch was merged by other means
  job_id        text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  closed_at     timestamptz,
  primary key (repository, number)
);
create unique index on local_pull_requests (repository, head) where state = 'open';
