-- Organizations, projects, keys, jobs. Words: docs/architecture.md (glossary).

create table organizations (
  id          text primary key,
  slug        text not null unique,
  name        text not null,
  created_at  timestamptz not null default now()
);

create table projects (
  id               text primary key,
  organization_id  text not null references organizations on delete cascade,
  name             text not null,
  domain           text not null unique check (domain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  site_url         text,                                -- page links are built on it; relative paths without it
  host             text not null check (host in ('local', 'github')),
  repository       text not null,                       -- "owner/name" on GitHub, "name" on the local host
  repository_url   text not null,                       -- the full URL that the API shows
  base_ref         text not null,
  docs_folder      text not null default '',            -- '' is the repository's root; no slash at either end
  public           boolean not null default false,
  settings         jsonb not null default '{}',
  created_at       timestamptz not null default now(),
  deleted_at       timestamptz
);
create index on projects (organization_id);
create index on projects (host, repository);

create table api_keys (
  id                 text primary key,
  organization_id    text not null references organizations on delete cascade,
  project_id         text references projects on delete cascade,   -- assistant keys belong to one project's domain
  kind               text not null check (kind in ('admin', 'assistant')),
  hash               bytea not null unique,             -- SHA-256 of the whole token
  start              text not null,                     -- prefix, first and last four characters: what lists show
  name               text not null,
  created_by         text,
  created_at         timestamptz not null default now(),
  expires_at         timestamptz,
  revoked_at         timestamptz,
  last_used_at       timestamptz,
  allowed_origins    text[] not null default '{}',
  allowed_addresses  cidr[] not null default '{}',
  monthly_limit      integer,
  rotated_from       text references api_keys on delete set null,
  check (kind = 'admin' or project_id is not null)
);
create index on api_keys (organization_id);

-- A job's row is what lists and lookups read. The workflow decides; the row follows, by (epoch, n), and never goes back.
create table jobs (
  id                text primary key,                   -- also the workflow id
  organization_id   text not null references organizations on delete cascade,
  project_id        text not null references projects on delete cascade,
  api_key_id        text,
  user_id           text,
  generation        text not null default 'v2' check (generation in ('v1', 'v2')),
  state             text not null default 'starting' check (state in ('starting', 'active', 'completed', 'failed', 'given_up')),
  model             text not null,                      -- the configured model, then the id of the one that answered
  requested_model   text,                               -- what every model call asks for, fixed when the job begins
  prompt            text not null,
  title             text,
  host              text not null,
  repository        text not null,
  repository_url    text not null,
  base_ref          text not null,
  branch            text not null,
  branch_named      boolean not null default false,     -- the caller chose it
  as_draft          boolean not null default false,
  ref               text,                               -- the branch once it is pushed
  pr_number         integer,
  pr_link           text,
  halt_reason       text check (halt_reason in ('completed', 'repohost_missconfigured', 'error')),
  message_to_user   text,
  todos             jsonb not null default '[]',
  transcript_head   text,
  workspace_head    text,
  turns             integer not null default 0,
  input_tokens      bigint not null default 0,          -- uncached input; cache reads and writes apart
  output_tokens     bigint not null default 0,
  cache_read_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  cost_microusd     bigint not null default 0,
  last_event        bigint not null default 0,
  run_id            text,                               -- the run that may write this row
  epoch             integer not null default 0,         -- grows when another run takes the row over
  n                 integer not null default 0,         -- grows with every write within an epoch
  version           bigint not null default 0,          -- grows with every change: the ETag
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  finished_at       timestamptz,
  archived_at       timestamptz
);
create index on jobs (project_id, created_at desc, id desc);
create index on jobs (state, updated_at) where state in ('starting', 'active');

-- What a caller asked for, stored on receipt. A turn begins with one or more of them.
create table instructions (
  job_id      text not null references jobs on delete cascade,
  message_id  text not null,                            -- ours, or the script's own for deduplication
  seq         bigint generated always as identity,
  prompt      text not null,
  role        text not null default 'user' check (role in ('user', 'assistant', 'system')),
  source      text not null check (source in ('api', 'signal', 'dashboard', 'comment')),
  state       text not null default 'waiting' check (state in ('waiting', 'taken', 'dropped', 'withdrawn')),
  turn        integer,
  created_at  timestamptz not null default now(),
  primary key (job_id, message_id)
);
create index on instructions (job_id, seq);

create table idempotency_keys (
  organization_id  text not null references organizations on delete cascade,
  api_key_id       text not null,
  route            text not null,                       -- "create <projectId>", "message <jobId>"
  key              text not null,
  body_hash        bytea not null,
  job_id           text references jobs on delete cascade,
  message_id       text,
  completed_at     timestamptz,                         -- null while the first request is under way
  created_at       timestamptz not null default now(),
  primary key (api_key_id, route, key)
);
create index on idempotency_keys (created_at);

-- The transcript and the workspace are values, like git's: immutable, each naming its parent.
-- The workflow holds the heads. A rewound job branches off an older head.
create table transcript_entries (
  id          text primary key,
  job_id      text not null references jobs on delete cascade,
  parent_id   text,
  depth       integer not null,
  kind        text not null check (kind in ('user', 'assistant', 'tool_results')),
  turn        integer not null,
  step        integer not null,
  content     jsonb not null,                           -- Messages API content blocks
  meta        jsonb not null default '{}',
  created_at  timestamptz not null default now()
);
create index on transcript_entries (job_id);

create table workspace_revisions (
  id           text primary key,
  job_id       text not null references jobs on delete cascade,
  parent_id    text,
  base_commit  text not null,                           -- the snapshot that the edits lie on
  files        jsonb not null,                          -- path -> git blob id, or null where deleted: the edits on base_commit
  touched      jsonb not null default '{}',             -- path -> [blob id before the job, blob id now], null where absent: the job's whole diff
  created_at   timestamptz not null default now()
);
create index on workspace_revisions (job_id);

create table blobs (
  id     text primary key,                              -- git blob id (SHA-1, hex)
  bytes  bytea not null
);

-- What an activity did, under (run, activity id): a retry finds it here and returns it.
create table activity_results (
  run_id       text not null,
  activity_id  text not null,
  job_id       text not null references jobs on delete cascade,
  type         text not null,
  result       jsonb,
  created_at   timestamptz not null default now(),
  primary key (run_id, activity_id)
);
create index on activity_results (job_id);

-- The ledger of every model attempt, also the cut and the rewound ones. Rows are added, then settled once; never removed with a job's state.
create table model_calls (
  id                  text primary key,
  organization_id     text not null,
  project_id          text not null,
  api_key_id          text,
  job_id              text,
  purpose             text not null check (purpose in ('agent', 'assistant')),
  run_id              text,
  activity_id         text,
  attempt             integer not null default 1,
  model               text not null,
  outcome             text not null default 'started',  -- started (never settled: cut), ok, or the error's type
  request_id          text,
  input_tokens        bigint not null default 0,
  output_tokens       bigint not null default 0,
  cache_read_tokens   bigint not null default 0,
  cache_write_tokens  bigint not null default 0,
  cost_microusd       bigint not null default 0,
  started_at          timestamptz not null default now(),
  settled_at          timestamptz
);
create index on model_calls (job_id);
create index on model_calls (organization_id, started_at);
create index on model_calls (api_key_id, started_at);

-- Progress, numbered under the job row's lock, announced by NOTIFY on channel "job_events".
create table job_events (
  job_id      text not null references jobs on delete cascade,
  seq         bigint not null,
  type        text not null,
  data        jsonb not null,
  created_at  timestamptz not null default now(),
  primary key (job_id, seq)
);

-- What left this system, or was about to. Outside the state that a rewind takes back.
create table publications (
  id            text primary key,
  job_id        text not null references jobs on delete cascade,
  turn          integer not null,
  revision_id   text not null,
  branch        text not null,
  parent        text not null,                          -- the commit that ours builds on
  expected_head text,                                   -- what the branch must be at when we push; null: it must not exist
  commit        text not null,                          -- ours, known before anything leaves
  tree          text not null,
  message       text not null,
  author_time   bigint not null,                        -- Unix seconds
  title         text not null,
  body          text not null,
  draft         boolean not null default false,
  state         text not null default 'planned' check (state in ('planned', 'pushed', 'published', 'abandoned')),
  pr_number     integer,
  pr_link       text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now()
);
create index on publications (job_id);

-- A branch belongs to one job while that job is active or its pull request is open.
create table branch_holds (
  repository_url  text not null,
  branch          text not null,
  job_id          text not null references jobs on delete cascade,
  created_at      timestamptz not null default now(),
  primary key (repository_url, branch)
);
create index on branch_holds (job_id);
