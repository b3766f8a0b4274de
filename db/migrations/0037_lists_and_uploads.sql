-- Whether an instruction has it: a sweep looks at the others only. Kept by triggers, so that it holds
-- however an instruction goes, and while processes of the release before run.
alter table uploads add column attached boolean not null default false;
update uploads u set attached = true
 where exists (select from instruction_uploads i where i.upload_id = u.id);
drop index uploads_created_at_idx;
create index uploads_unattached on uploads (created_at) where not attached;

create function note_attached_upload() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update uploads set attached = true where id = new.upload_id and not attached;
  else
    update uploads set attached = false
     where id = old.upload_id
       and not exists (select from instruction_uploads i where i.upload_id = old.upload_id);
  end if;
  return null;
end
$$;
create trigger instruction_uploads_noted after insert or delete on instruction_uploads
  for each row execute function note_attached_upload();

-- The audit log by action.
create index audit_log_by_action on audit_log (organization_id, action, id desc);
