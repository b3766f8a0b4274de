-- Whether an instruction has had it, and its job is not deleted: a sweep looks at the others only.
alter table uploads add column attached boolean not null default false;
update uploads u set attached = true
 where exists (select from instruction_uploads i where i.upload_id = u.id);
drop index uploads_created_at_idx;
create index uploads_unattached on uploads (created_at) where not attached;
