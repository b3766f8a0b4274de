-- # What readers and their agents think of pages

create table page_feedback (
  id          text primary key,
  project_id  text not null references projects on delete cascade,
  path        text not null,                            -- of the page
  fp          text not null,
  helpful     boolean,                                  -- null: words only
  comment     text,
  contact     text,                                     -- where the reader wants an answer
  source      text not null check (source in ('contextual', 'thumbs_only', 'code_snippet', 'agent')),
  status      text not null default 'pending' check (status in ('pending', 'in_progress', 'resolved', 'dismissed')),
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);
-- A reader who is known has one per page.
create unique index page_feedback_of_reader on page_feedback (project_id, fp, path) where fp <> 'anonymous';
create index page_feedback_newest on page_feedback (project_id, created_at desc, id desc);
create index page_feedback_by_age on page_feedback (created_at);
