-- # Questions that jobs were made of: they are asked again once the docs have changed

create table gaps (
  id           bigint generated always as identity primary key,
  job_id       text not null references jobs on delete cascade,
  question_id  text not null references questions on delete cascade, -- asked again in its words
  pr_number    integer,                                 -- after whose merge it is asked; null: none yet
  merged_at    timestamptz,                             -- when that merge was seen
  due_at       timestamptz not null default now(),      -- put off while the assistant cannot answer
  attempts     integer not null default 0,              -- of asking it since that merge, with no whole answer
  asked_at     timestamptz,                             -- null: not since that merge
  answered     boolean not null default false,
  sources      jsonb not null default '[]',             -- what the answer cited
  follow_ups   integer not null default 0,              -- how often the job was told that it is still unanswered
  told_at      timestamptz,
  created_at   timestamptz not null default now(),
  unique (job_id, question_id)
);
create index gaps_by_question on gaps (question_id);
create index gaps_unanswered on gaps (job_id) where not answered;

-- What `questions.job_id` said until now; nothing reads it any more. These jobs are asked about after
-- their next pull request only.
insert into gaps (job_id, question_id, pr_number, created_at)
select distinct on (q.job_id, q.group_id) q.job_id, q.id, j.pr_number, j.created_at
  from questions q join jobs j on j.id = q.job_id
 where q.group_id is not null
 order by q.job_id, q.group_id, q.created_at desc;
