-- # Answers that continue while their reader is away

-- As far as each is: a reader who comes back reads it here, through whichever process.
create table running_answers (
  message_id  text primary key,
  thread_id   text not null references threads on delete cascade,
  api_key_id  text not null,
  is_ended    boolean not null default false,
  written_at  timestamptz not null default now(),       -- by the process that runs it, also without news
  read_at     timestamptz not null default now()        -- by any of its readers
);
create index running_answers_of_thread on running_answers (thread_id);
create index running_answers_by_age on running_answers (written_at);

create table answer_parts (
  message_id  text not null references running_answers on delete cascade,
  n           integer not null,
  events      jsonb not null,
  primary key (message_id, n)
);

-- # Pages that answers cite, beside their questions

-- Titles by address, without the section. A report counts them, and would read every message of a
-- period otherwise. Null: of a release before this one, after an upgrade process by process.
alter table questions add column cited jsonb;
update questions q set cited = (
    select jsonb_object_agg(split_part(s.url, '#', 1),
                            case when s.url like '%#%' then regexp_replace(s.title, ': [^:]*$', '')
                                 else s.title end)
      from jsonb_to_recordset(m.sources) as s (url text, title text))
  from thread_messages m
 where q.answered and m.thread_id = q.thread_id and m.message_id = q.answer_id
   and m.role = 'assistant';
