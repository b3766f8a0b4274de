-- # Docs that are prepared before the code is merged

create table preparations (
  automation_id text not null references automations on delete cascade,
  repository    text not null,                          -- of the code, in lower case
  number        integer not null,                       -- of its pull request
  id            text not null,                          -- another one once it is asked for again
  head_commit   text not null,                          -- that the newest run is about
  job_id        text,                                   -- a job of its own: made with the first run
  state         text not null default 'open' check (state in ('open', 'closed', 'ready')),
  created_at    timestamptz not null default now(),
  primary key (automation_id, repository, number)
);

-- Requests in comments are read up to this.
alter table automations add column requests_seen_at timestamptz not null default now();
