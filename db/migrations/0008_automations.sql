-- # Automations: files of a docs repository that start work of the agent

create table automations (
  id            text primary key,
  project_id    text not null references projects on delete cascade,
  path          text not null,                  -- of the file, on the base branch
  name          text not null,
  definition    jsonb,                          -- what the file says; null: it cannot be read
  problem       text,                           -- why it cannot be used: a sentence
  job_id        text,                           -- the standing job: made with the first run
  paused_at     timestamptz,
  paused_why    text,                           -- null: a person paused it; else a sentence
  scheduled     text,                           -- what its schedule in Temporal was made from; null: there is none
  seen_at       timestamptz not null default now(), -- changes of the watched repository are read up to this
  seen_commit   text,
  read_at       timestamptz not null default now(), -- when it was last asked
  removed_at    timestamptz,                    -- its file is gone
  created_at    timestamptz not null default now(),
  unique (project_id, path)
);

create table automation_runs (
  id            text primary key,
  automation_id text not null references automations on delete cascade,
  key           text not null,                  -- of its cause, which starts one run
  cause         jsonb not null,
  state         text not null default 'waiting' check (state in ('waiting', 'held_back', 'running', 'done')),
  outcome       text,                           -- once it is done
  reason        text,                           -- a sentence: why nothing was done, or what it waits for
  pages         text[] not null default '{}',   -- that the gate named
  judged        boolean not null default false,
  job_id        text,
  message_id    text,                           -- of its instruction in the job
  base_commit   text,                           -- of the docs, when it was started
  pr_link       text,
  pr_number     integer,
  created_at    timestamptz not null default now(),
  started_at    timestamptz,
  finished_at   timestamptz,
  unique (automation_id, key)
);
create index on automation_runs (automation_id, created_at desc, id desc);
create index automation_runs_unfinished on automation_runs (state) where state <> 'done';

-- The rows that are there are checked by 0013, without a lock that stops writers.
alter table instructions drop constraint instructions_source_check,
  add constraint instructions_source_check
  check (source in ('api', 'signal', 'dashboard', 'comment', 'automation')) not valid;
