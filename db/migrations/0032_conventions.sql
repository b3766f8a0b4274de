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
