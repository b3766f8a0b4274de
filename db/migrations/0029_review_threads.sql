-- # Threads of review comments, what people decided, and a key for public docs

-- A reply has the place of the comment that began the thread.
alter table review_comments
  add column parent_id  text references review_comments on delete cascade,
  add column edited_at  timestamptz;
create index review_comments_by_parent on review_comments (parent_id) where parent_id is not null;

-- The newest decision of a person about the changes of a job.
create table review_verdicts (
  job_id      text not null references jobs on delete cascade,
  user_id     text not null references users on delete cascade,
  author      text not null,
  verdict     text not null check (verdict in ('approved', 'changes_requested')),
  turns       integer not null,                         -- of the job at that time
  created_at  timestamptz not null default now(),
  primary key (job_id, user_id)
);
create index review_verdicts_by_person on review_verdicts (user_id);

-- Of a project, the playground and its public docs have a key each.
drop index api_keys_project_id_idx;
create unique index api_keys_of_ours on api_keys (project_id, name) where playground;
