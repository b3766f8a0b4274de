-- Connecting GitHub in the dashboard. Words: docs/architecture.md (glossary).

-- People on their way to GitHub and back. The way back is good once, in the browser session that began it.
create table github_ways (
  hash             bytea primary key,                   -- SHA-256 of the 256 random bits that GitHub sends back
  session_id       text not null references sessions on delete cascade,
  organization_id  text not null references organizations on delete cascade,
  purpose          text not null check (purpose in ('install', 'authorize')),
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
