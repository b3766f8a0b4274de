-- The tables of Docent 0.1.0, by subject. Words: docs/architecture.md (glossary).
-- From here on every change is a file of its own, numbered and forward only.

-- # Organizations and projects

create table organizations (
  id          text primary key,
  slug        text not null unique,
  name        text not null,
  created_at  timestamptz not null default now()
);

create table projects (
  id                    text primary key,
  organization_id       text not null references organizations on delete cascade,
  name                  text not null,
  domain                text not null unique check (domain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  site_url              text,                           -- page links are built on it; relative paths without it
  base_path             text,                           -- what addresses of the site begin with; null: as its configuration says
  site_kind             text,                           -- the generator; null: found by the site's files at each indexing
  -- Which kinds of hosts there are is the code's business (hosts/registry.ts): another needs no migration.
  host                  text not null check (host ~ '^[a-z][a-z0-9-]{0,30}$'),
  repository            text not null,                  -- "owner/name" on GitHub, "name" on the local host
  repository_url        text not null,                  -- the full URL that the API shows
  base_ref              text not null,
  docs_folder           text not null default '',       -- '' is the repository's root; no slash at either end
  docs_folder_detected  boolean not null default false, -- found by the site's files: each indexing may find another one
  public                boolean not null default false,
  settings              jsonb not null default '{}',
  created_at            timestamptz not null default now(),
  deleted_at            timestamptz
);
create index on projects (organization_id);
create index on projects (host, repository);

-- # People

create table users (
  id             text primary key,
  email          text not null,
  name           text not null,
  password_hash  text,                                  -- scrypt, with its parameters and salt; null: single sign-on only
  created_at     timestamptz not null default now()
);
create unique index on users (lower(email));

create table memberships (
  user_id          text not null references users on delete cascade,
  organization_id  text not null references organizations on delete cascade,
  role             text not null check (role in ('viewer', 'member', 'owner')),
  created_at       timestamptz not null default now(),
  primary key (user_id, organization_id)
);
create index on memberships (organization_id);

create table sessions (
  id            text primary key,
  user_id       text not null references users on delete cascade,
  hash          bytea not null unique,                  -- SHA-256 of the cookie's 256 random bits
  address       text not null,
  user_agent    text not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz not null default now()
);
create index on sessions (user_id);
create index on sessions (last_used_at);

-- Links that are good once. The first run's names nobody: whoever has it says who they are.
create table invitations (
  id               text primary key,
  organization_id  text not null references organizations on delete cascade,
  email            text,
  role             text not null check (role in ('viewer', 'member', 'owner')),
  hash             bytea not null unique,
  created_by       text references users on delete set null,
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null,
  accepted_at      timestamptz
);
create index on invitations (organization_id);

create table reset_links (
  hash        bytea primary key,
  user_id     text not null references users on delete cascade,
  expires_at  timestamptz not null
);

-- Who a provider says that somebody is. A subject is never given to another person; an e-mail address may be.
create table user_identities (
  issuer      text not null,
  subject     text not null,
  user_id     text not null references users on delete cascade,
  created_at  timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Sign-ins under way, each good once and bound to one browser by its cookie.
create table sign_on_attempts (
  hash        bytea primary key,                        -- SHA-256 of the cookie's 256 random bits
  identity    jsonb,                                    -- once the provider has said it, where a password must still confirm it
  expires_at  timestamptz not null
);

-- # API keys and limits

create table api_keys (
  id                 text primary key,
  organization_id    text not null references organizations on delete cascade,
  project_id         text references projects on delete cascade,   -- assistant keys belong to one project's domain
  kind               text not null check (kind in ('admin', 'assistant')),
  playground         boolean not null default false,    -- a project's playground is counted under it; nobody has its token
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
create unique index on api_keys (project_id) where playground;

-- Uses in fixed UTC windows. Attempts to sign in are counted like requests: by address, and by (a hash of) the
-- e-mail address that was tried. Rows are few, hot and short-lived: room on the page keeps updates in place.
create table limit_counts (
  scope         text not null check (
                  scope in ('address', 'key', 'organization', 'sign_in_address', 'sign_in_account')),
  id            text not null,
  window_start  timestamptz not null,
  n             integer not null,
  primary key (scope, id, window_start)
) with (fillfactor = 50);
create index on limit_counts (window_start);

-- Takes one use of each limit, or of none: returns a row per limit, `violated` on the first that is used up.
-- Scopes are given in the same order by every caller, hottest last, so that two callers never wait for each
-- other in a circle. A full window is refused before anything is written. Windows are by this server's clock.
create function take_limits(scopes text[], ids text[], units text[], maxima integer[])
returns table (scope text, used integer, resets_at timestamptz, window_seconds integer, violated boolean)
language plpgsql as $$
declare
  starts timestamptz[] := '{}';
  counts integer[] := '{}';
  full_at integer;
  n_now integer;
begin
  for i in 1 .. cardinality(scopes) loop
    starts[i] := date_trunc(units[i], clock_timestamp(), 'UTC');
    select c.n into n_now from limit_counts c where c.scope = scopes[i] and c.id = ids[i] and c.window_start = starts[i];
    counts[i] := coalesce(n_now, 0);
    if counts[i] >= maxima[i] and full_at is null then full_at := i; end if;
  end loop;

  if full_at is null then
    for i in 1 .. cardinality(scopes) loop
      insert into limit_counts as c values (scopes[i], ids[i], starts[i], 1)
        on conflict on constraint limit_counts_pkey do update set n = c.n + 1 where c.n < maxima[i]
        returning c.n into n_now;
      if not found then                                 -- filled up since it was read: give back what was taken
        full_at := i;
        counts[i] := maxima[i];
        for j in 1 .. i - 1 loop
          update limit_counts c set n = c.n - 1
            where c.scope = scopes[j] and c.id = ids[j] and c.window_start = starts[j];
          counts[j] := counts[j] - 1;
        end loop;
        exit;
      end if;
      counts[i] := n_now;
    end loop;
  end if;

  for i in 1 .. cardinality(scopes) loop
    scope := scopes[i];
    used := counts[i];
    resets_at := (starts[i] at time zone 'UTC' + ('1 ' || units[i])::interval) at time zone 'UTC';
    window_seconds := extract(epoch from resets_at - starts[i]);
    violated := full_at is not distinct from i;
    return next;
  end loop;
end $$;

-- # The audit log

-- Who did what, when and from where. A row is written with the act and never changed. It refers to
-- nothing, so that it outlives what it is about.
create table audit_log (
  id text primary key,
  at timestamptz not null default now(),
  organization_id text,             -- null: of no organization, or of one that nobody knows
  action text not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'operator', 'anybody')),
  actor_id text,
  actor_name text,                  -- an e-mail address, or the beginning of a key
  address inet,
  subject_kind text,
  subject_id text,
  subject_name text,
  details jsonb not null default '{}'
);
create index audit_log_by_organization on audit_log (organization_id, id desc);
create index audit_log_by_action on audit_log (organization_id, action, id desc);
create index audit_log_by_time on audit_log (at);

-- Also for the owner of the table, whom permissions do not bind. Retention says in its own
-- transaction from which day on rows are kept, and nothing younger than a day goes.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
declare
  kept_since text := current_setting('docent.audit_kept_since', true);
begin
  if tg_op = 'DELETE' and coalesce(kept_since, '') <> ''
     and old.at < least(kept_since::timestamptz, now() - interval '1 day') then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_log_rows before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create trigger audit_log_table before truncate on audit_log
  for each statement execute function audit_log_is_append_only();

-- # Jobs

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
  effort            text,                               -- how much the model may think; null: as the project and the settings say
  prompt            text not null,
  title             text,
  host              text not null,
  repository        text not null,
  repository_url    text not null,
  base_ref          text not null,
  branch            text not null,
  branch_named      boolean not null default false,     -- the caller chose it
  as_draft          boolean not null default false,
  publishes         boolean not null default true,      -- false: of an evaluation; it works and is checked, and its edits stay here
  ref               text,                               -- the branch once it is pushed
  pr_number         integer,
  pr_link           text,
  -- Where the pull request can be seen as a site: told by the host, for a commit.
  preview_url       text,
  preview_from      text check (preview_from in ('deployment', 'status')),
  preview_commit    text,
  preview_at        timestamptz,
  halt_reason       text check (halt_reason in ('completed', 'repohost_missconfigured', 'error')),
  message_to_user   text,
  cancelled         boolean not null default false,     -- the last turn ended because a person cancelled it
  todos             jsonb not null default '[]',
  transcript_head   text,
  workspace_head    text,
  turns             integer not null default 0,
  input_tokens      bigint not null default 0,          -- uncached input; cache reads and writes apart
  output_tokens     bigint not null default 0,
  cache_read_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  cost_microusd     bigint not null default 0,
  -- What these sums leave out: calls of models without a price, all calls of unknown cost (those
  -- among them), and calls whose endpoint does not report what it read from its cache.
  calls_without_price       integer not null default 0,
  calls_of_unknown_cost     integer not null default 0,
  calls_of_unknown_caching  integer not null default 0,
  last_event        bigint not null default 0,
  run_id            text,                               -- the run that may write this row
  epoch             integer not null default 0,         -- grows when another run takes the row over
  n                 integer not null default 0,         -- grows with every write within an epoch
  version           bigint not null default 0,          -- grows with every change: the ETag
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  finished_at       timestamptz,
  archived_at       timestamptz
) with (fillfactor = 70);                               -- room for the next versions of a row beside it
-- The row changes with every activity. While no index has a column that always changes, Postgres writes
-- such a change into no index, and the words of a job are not computed again each time.
create index on jobs (project_id, created_at desc, id desc);
create index jobs_live on jobs (project_id) where state in ('starting', 'active');
-- Lists of an organization, by person and by model, newest first.
create index jobs_by_organization on jobs (organization_id, created_at desc, id desc);
create index jobs_by_person on jobs (organization_id, user_id, created_at desc, id desc);
create index jobs_by_model on jobs (organization_id, model, created_at desc, id desc);
create index jobs_by_pull_request on jobs (organization_id, pr_number) where pr_number is not null;
-- A webhook names a pull request by its repository in lower case.
create index jobs_by_repository on jobs (host, lower(repository), pr_number)
 where pr_number is not null;
-- What the palette searches, by the beginnings of words; the names in a path are words of their own.
create index jobs_by_words on jobs using gin (
  to_tsvector('simple', translate(
    coalesce(title, '') || ' ' || left(prompt, 300) || ' ' || branch, '/._-', '    ')));
-- Retention finds what it deletes by an index, here and below, and so does each foreign key what it must
-- delete or set to null: without one, every row that goes reads a whole table.
create index jobs_archived on jobs (archived_at) where archived_at is not null;
create index jobs_given_up on jobs (created_at) where state = 'given_up';

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

-- Images that people attach to instructions. The same bytes are one upload of a project; one that no
-- instruction has is deleted after a day.
create table uploads (
  id          text primary key,
  project_id  text not null references projects on delete cascade,
  sha256      bytea not null,
  name        text not null,
  media_type  text not null,
  bytes       bytea not null,
  attached    boolean not null default false,           -- an instruction has it; kept by the trigger below
  created_at  timestamptz not null default now(),
  unique (project_id, sha256)
);
create index uploads_unattached on uploads (created_at) where not attached;

create table instruction_uploads (
  job_id      text not null,
  message_id  text not null,
  position    integer not null,
  upload_id   text not null references uploads,
  primary key (job_id, message_id, position),
  foreign key (job_id, message_id) references instructions on delete cascade
);
create index on instruction_uploads (upload_id);

-- A sweep looks at unattached uploads only. A trigger notes it, so that it holds however an instruction goes.
create function note_attached_upload() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update uploads set attached = true where id = new.upload_id and not attached;
  else
    update uploads set attached = false
     where id = old.upload_id
       and not exists (select from instruction_uploads i where i.upload_id = old.upload_id);
  end if;
  return null;
end
$$;
create trigger instruction_uploads_noted after insert or delete on instruction_uploads
  for each row execute function note_attached_upload();

-- What people write on the changes of a job: for each other, and for its agent once it is sent.
-- A comment is sent while its instruction waits or was taken: one that nobody read is open again.
create table review_comments (
  id          text primary key,
  job_id      text not null references jobs on delete cascade,
  user_id     text references users on delete set null,
  author      text not null,                            -- name, which outlives the account
  file        text not null,
  line        integer,                                  -- of the file as it becomes; null: a passage
  quote       text not null,
  text        text not null,
  message_id  text,                                     -- the instruction that carried it
  resolved_at  timestamptz,
  created_at  timestamptz not null default now(),
  foreign key (job_id, message_id) references instructions on delete cascade
);
create index review_comments_by_job on review_comments (job_id, id);
create index review_comments_by_person on review_comments (user_id) where user_id is not null;

-- Requests that callers may repeat under the same key.
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
create index idempotency_keys_by_job on idempotency_keys (job_id);

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

-- A job's blobs are its own, so that they go with it. Shared ones would have to be counted, and guarded
-- against a writer who finds one that is just being removed.
create table blobs (
  job_id  text references jobs on delete cascade,
  id      text not null,                                -- git blob id (SHA-1, hex)
  bytes   bytea not null
);
create unique index on blobs (job_id, id);
create index on blobs (id);

-- What an activity did, under (run, activity id): a retry finds it here and returns it. A result answers the
-- same question only: a Temporal server that was restored from a backup gives both ids again to another one.
create table activity_results (
  run_id       text not null,
  activity_id  text not null,
  job_id       text not null references jobs on delete cascade,
  type         text not null,
  input_hash   bytea,                                   -- of what it was asked
  result       jsonb,
  created_at   timestamptz not null default now(),
  primary key (run_id, activity_id)
);
create index on activity_results (job_id);

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
create index publications_commit on publications (commit);

-- A branch belongs to one job while that job is active or its pull request is open.
create table branch_holds (
  repository_url  text not null,
  branch          text not null,
  job_id          text not null references jobs on delete cascade,
  created_at      timestamptz not null default now(),
  primary key (repository_url, branch)
);
create index on branch_holds (job_id);

-- # Models

-- The ledger of every model attempt, also the cut and the rewound ones. Rows are added, then settled once;
-- never removed with a job's state.
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
  cost_microusd       bigint,                           -- null: unknown; a call that was cut may have cost anything
  started_at          timestamptz not null default now(),
  settled_at          timestamptz
);
create index on model_calls (job_id);
create index on model_calls (organization_id, started_at);
create index on model_calls (api_key_id, started_at);
create index model_calls_by_time on model_calls (started_at);

-- What a probe found a model endpoint to support, by address (without credentials) and model id.
create table model_endpoints (
  endpoint text not null,
  model text not null,
  features text[] not null,
  probed_at timestamptz not null default now(),
  primary key (endpoint, model)
);

-- # The built-in repository host

-- The repositories themselves are bare git repositories under the data folder.
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
create index local_pull_requests_by_branch on local_pull_requests (repository, head);
-- For charts over time.
create index local_pull_requests_merged on local_pull_requests (repository, closed_at)
 where state = 'merged';

-- Pull requests that Docent itself keeps, by the host that a project names.
create view hosted_pull_requests as
  select 'local'::text as host, repository, number, head, state, closed_at from local_pull_requests;

-- # GitHub, and what webhooks told

-- An installation of the GitHub App belongs to the organization whose user proved access to it.
create table github_installations (
  id               bigint primary key,                  -- GitHub's
  organization_id  text not null references organizations on delete cascade,
  account          text not null,                       -- login of the user or organization on GitHub, as it was then
  created_at       timestamptz not null default now()
);
create index on github_installations (organization_id);

-- The GitHub App that was created in the dashboard.
create table github_app (
  is_only     boolean primary key default true check (is_only), -- one row
  app_id      text not null,
  sealed      bytea not null,                           -- its keys and secrets, encrypted with ENCRYPTION_KEY
  created_at  timestamptz not null default now()
);

-- People on their way to GitHub and back. The way back is good once, in the browser session that began it.
create table github_ways (
  hash             bytea primary key,                   -- SHA-256 of the 256 random bits that GitHub sends back
  session_id       text not null references sessions on delete cascade,
  organization_id  text not null references organizations on delete cascade,
  purpose          text not null check (purpose in ('install', 'authorize', 'create_app')),
  installation_id  bigint,                              -- the one that was installed on the way; a wish, no proof
  expires_at       timestamptz not null
);
create index on github_ways (session_id);

-- Installations that GitHub showed to the user of a session a moment ago. Their token is kept nowhere.
create table github_proofs (
  session_id       text not null references sessions on delete cascade,
  organization_id  text not null references organizations on delete cascade,
  installation_id  bigint not null,
  account          text not null,
  refusal          text,                                -- why that user may not connect it; null: they may
  expires_at       timestamptz not null,
  primary key (session_id, organization_id, installation_id)
);

-- What a host's webhook told is kept by host: two hosts may have a repository of one name, and deliveries
-- of one id. GitHub repeats a delivery under the same id. Each is recorded with what it asks for, so that a
-- process that dies loses none.
create table github_deliveries (
  host         text not null default 'github',
  id           text not null,
  news         jsonb,                                   -- what is still to be done; null: nothing (any more)
  received_at  timestamptz not null default now(),
  tried_at     timestamptz not null default now(),
  primary key (host, id)
);
create index on github_deliveries (received_at);
create index on github_deliveries (tried_at) where news is not null;

-- Repositories by the names under which projects and jobs know them: a renamed or transferred one keeps its id.
create table github_repository_names (
  host           text not null default 'github',
  name           text not null,                         -- "owner/name", lower case
  repository_id  bigint,                                -- the host's; null: it did not tell when it was asked
  checked_at     timestamptz not null default now(),
  primary key (host, name)
);
create index on github_repository_names (host, repository_id);

-- What became of the pull requests that jobs opened.
create table github_pull_requests (
  host         text not null default 'github',
  repository   text not null,                           -- "owner/name", lower case
  number       integer not null,
  state        text not null check (state in ('open', 'merged', 'closed')),
  updated_at   timestamptz not null default now(),
  primary key (host, repository, number)
);
create index ended_pull_requests_by_age on github_pull_requests (updated_at) where state <> 'open';
create index github_pull_requests_merged on github_pull_requests (repository, updated_at)
 where state = 'merged';

-- Held branches with a pull request that is open, as far as is known: of a hosted one its row tells,
-- of others what the host's webhook told. A pull request that nobody told about counts as open until
-- its job is archived.
create view branch_holds_in_review as
  select h.repository_url, h.branch, h.job_id
    from branch_holds h join jobs j on j.id = h.job_id
   where case j.host
           when 'local' then exists (
             select 1 from hosted_pull_requests p
              where p.host = j.host and p.repository = j.repository and p.head = h.branch
                and p.state = 'open')
           else j.pr_link is not null and j.archived_at is null and not exists (
             select 1 from github_pull_requests p
              where p.host = j.host and p.repository = lower(j.repository)
                and p.number = j.pr_number and p.state <> 'open')
         end;

-- # The search index

-- BM25 over sections and pages, in plain SQL.
-- A page's rows are written once and never change. New ones are staged (live = false); one short transaction then
-- makes them live, deletes those they replace, and brings the counts up to date: readers see one index or the other.

create table search_indexes (
  project_id        text primary key references projects on delete cascade,
  commit            text not null,
  complete          boolean not null default true,      -- false while the first indexing goes on: what was read can be searched
  pages             integer not null,                   -- live and searchable: what BM25 calls N
  sections          integer not null,
  site              jsonb,                              -- what the last indexing found: kind, address rule, languages
  default_language  text,                               -- pages of others are found only where asked for; null: of all languages
  built_at          timestamptz not null default now()
);

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

create table search_pages (
  id            integer generated always as identity primary key,
  project_id    text not null references projects on delete cascade,
  path          text not null,                          -- site path
  url           text,                                   -- as the site writes it, with base path and ending; null: the path
  key           text not null,                          -- hash of all that the page's rows are made of
  live          boolean not null default false,
  searchable    boolean not null,                       -- false: read by path only
  title         text not null,
  version       text,
  old_version   boolean not null default false,         -- found only where its version is asked for
  language      text,
  translations  text[] not null default '{}',           -- other languages that have this page
  groups        text[],                                 -- null: for everybody
  boost         real not null,
  content       text not null,                          -- Markdown without frontmatter
  -- For llms.txt: in which order, under which title, with which words.
  place         integer,
  description   text not null default '',
  crumbs        text[] not null default '{}',
  unique (project_id, path, key)
);
create unique index on search_pages (project_id, path) where live;
create index on search_pages (project_id, url) where live and url is not null;
-- What a query asks of every page that holds one of its words; the rows themselves are long.
create index search_pages_of_words on search_pages (project_id, id)
  include (path, boost, version, language, groups, old_version, translations) where live;

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

-- # The assistant

-- What a site's owner tells the assistant: ASSISTANT.md of the base ref, as of the last index.
create table site_instructions (
  project_id  text primary key references projects on delete cascade,
  text        text not null
);

-- Conversations.
create table threads (
  id          text primary key,                         -- unguessable: 80 random bits
  project_id  text not null references projects on delete cascade,
  fp          text not null,                            -- who began it; another fp does not find it, unless it is "anonymous"
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
create index on threads (project_id, updated_at desc);
create index on threads (updated_at);

create table thread_messages (
  thread_id   text not null references threads on delete cascade,
  seq         bigint generated always as identity,
  message_id  text,                                     -- the caller's, or ours for an answer; callers repeat or omit theirs
  role        text not null check (role in ('user', 'assistant')),
  text        text not null,
  sources     jsonb not null default '[]',              -- of an answer: [{id, url, title}]
  created_at  timestamptz not null default now(),
  primary key (thread_id, seq)
);

-- Questions of readers that are alike count as one: those whose stems are mostly the same.
create function question_words(question text) returns text[]
language sql immutable parallel safe as $$
  -- A question of stop words alone, or of none, keeps its words.
  select coalesce(nullif(tsvector_to_array(to_tsvector('english'::regconfig, left(question, 300))), '{}'),
                  tsvector_to_array(to_tsvector('simple'::regconfig, left(question, 300))))
$$;

create table question_groups (
  id          text primary key,                         -- that of its first question
  project_id  text not null references projects on delete cascade,
  words       text[] not null,                          -- stems of its first question
  vector      bytea,                                    -- where embeddings are on: what that means, as in search_vectors
  closed_at   timestamptz,                              -- when a person dismissed or resolved it
  page        text,                                     -- site path of the page that answers it
  created_at  timestamptz not null default now(),
  unique (project_id, words)
);
create index question_groups_words on question_groups using gin (words);
create index question_groups_by_age on question_groups (created_at);
-- A question is compared in meaning with the newest groups of its project alone.
create index question_groups_newest on question_groups (project_id, created_at desc, id desc)
  where vector is not null;

-- Every question and whether the docs held its answer. What readers ask in vain is what to write next.
create table questions (
  id          text primary key,
  project_id  text not null references projects on delete cascade,
  thread_id   text references threads on delete set null,
  question    text not null,
  answered    boolean not null,
  job_id      text references jobs on delete set null,  -- the job that was started to answer it
  group_id    text references question_groups on delete set null,
  created_at  timestamptz not null default now()
);
create index on questions (project_id, answered, created_at desc);
create index on questions (created_at);
create index questions_by_group on questions (group_id);
create index questions_by_thread on questions (thread_id) where thread_id is not null;
create index questions_by_job on questions (job_id) where job_id is not null;
-- What the palette searches.
create index questions_by_words on questions using gin (
  to_tsvector('simple', translate(left(question, 300), '/._-', '    ')));

-- # Conventions

-- What reviewers ask for again and again, as lines of AGENTS.md. A row is a person's decision: a line
-- that a job adds, or none.
create table conventions (
  id          text primary key,                         -- the oldest request that it was suggested by
  project_id  text not null references projects on delete cascade,
  words       text[] not null,                          -- stems of that request
  line        text,                                     -- null: dismissed
  job_id      text references jobs on delete cascade,
  user_id     text,
  created_at  timestamptz not null default now()
);
create index on conventions (project_id);
create unique index on conventions (job_id);
