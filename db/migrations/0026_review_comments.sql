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
  resolved_at timestamptz,
  created_at  timestamptz not null default now(),
  foreign key (job_id, message_id) references instructions on delete cascade
);
create index review_comments_by_job on review_comments (job_id, id);
