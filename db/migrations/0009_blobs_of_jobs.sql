-- A job's blobs are its own, so that they go with it. Shared ones would have to be counted, and guarded against a writer
-- who finds one that is just being removed. A worker of the release before writes blobs without a job for as long as
-- both run: they are read like any other, for equal ids have equal bytes.
alter table blobs drop constraint blobs_pkey, add column job_id text references jobs on delete cascade;
insert into blobs (job_id, id, bytes)
  select used.job_id, b.id, b.bytes
    from (select job_id, files.value #>> '{}' as id from workspace_revisions, jsonb_each(files) as files
          union
          select job_id, ids.value #>> '{}' from workspace_revisions, jsonb_each(touched) as paths, jsonb_array_elements(paths.value) as ids) used
    join blobs b on b.id = used.id;
delete from blobs where job_id is null;
create unique index on blobs (job_id, id);
create index on blobs (id);
