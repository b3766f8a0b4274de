-- Images that people attach to instructions. The same bytes are one upload of a project; one that no
-- instruction has is deleted after a day.
create table uploads (
  id          text primary key,
  project_id  text not null references projects on delete cascade,
  sha256      bytea not null,
  name        text not null,
  media_type  text not null,
  bytes       bytea not null,
  created_at  timestamptz not null default now(),
  unique (project_id, sha256)
);
create index on uploads (created_at);

create table instruction_uploads (
  job_id      text not null,
  message_id  text not null,
  position    integer not null,
  upload_id   text not null references uploads,
  primary key (job_id, message_id, position),
  foreign key (job_id, message_id) references instructions on delete cascade
);
create index on instruction_uploads (upload_id);
