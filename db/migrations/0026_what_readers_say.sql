-- # What readers ask and say, for reports

-- What readers think of pages is listed by id: a cursor outlives the row that it names.
create index page_feedback_by_id on page_feedback (project_id, id desc);

-- The answer's message in the thread: its sources and its vote. Null: of a release before this one,
-- or nothing was answered.
alter table questions add column answer_id text;

-- Queries of the search endpoint, and of readers' agents, that no page matches. No reader is named.
create table searches_without_hits (
  project_id  text not null references projects on delete cascade,
  day         date not null default (now() at time zone 'UTC')::date,
  query       text not null,                            -- in lower case
  times       integer not null default 1,
  primary key (project_id, day, query)
);
create index searches_without_hits_by_age on searches_without_hits (day);
