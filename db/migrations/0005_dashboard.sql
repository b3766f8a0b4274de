-- The dashboard: who may sign in, and what they may do where.

create table users (
  id             text primary key,
  email          text not null,
  name           text not null,
  password_hash  text not null,                         -- scrypt, with its parameters and salt
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

-- Attempts to sign in are counted like requests: by address, and by (a hash of) the e-mail that was tried.
alter table limit_counts drop constraint limit_counts_scope_check;
alter table limit_counts add constraint limit_counts_scope_check
  check (scope in ('address', 'key', 'organization', 'sign_in_address', 'sign_in_account'));

-- The key under which a project's playground is counted. Nobody holds its token.
alter table api_keys add column playground boolean not null default false;
create unique index on api_keys (project_id) where playground;

-- The job that was started to answer it.
alter table questions add column job_id text references jobs on delete set null;
