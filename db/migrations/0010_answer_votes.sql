-- # What readers think of answers

-- One vote per answer, of the reader whose thread it is. It is deleted with the thread.
create table answer_votes (
  thread_id   text not null references threads on delete cascade,
  message_id  text not null,                            -- of the answer
  helpful     boolean not null,
  tags        text[] not null default '{}',
  comment     text,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  primary key (thread_id, message_id)
);
