-- Where the pull request of a job can be seen as a site: told by the host, for a commit.
alter table jobs
  add column preview_url    text,
  add column preview_from   text check (preview_from in ('deployment', 'status')),
  add column preview_commit text,
  add column preview_at     timestamptz;
create index publications_commit on publications (commit);
