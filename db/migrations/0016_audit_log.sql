-- Who did what, when and from where. A row is written with the act and never changed. It refers to
-- nothing, so that it outlives what it is about.
create table audit_log (
  id text primary key,
  at timestamptz not null default now(),
  organization_id text,             -- null: of no organization, or of one that nobody knows
  action text not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'operator', 'anybody')),
  actor_id text,
  actor_name text,                  -- an e-mail address, or the beginning of a key
  address inet,
  subject_kind text,
  subject_id text,
  subject_name text,
  details jsonb not null default '{}'
);
create index audit_log_by_organization on audit_log (organization_id, id desc);
create index audit_log_by_time on audit_log (at);

-- Also for the owner of the table, whom permissions do not bind. Retention says in its own
-- transaction from which day on rows are kept, and nothing younger than a day goes.
create function audit_log_is_append_only() returns trigger language plpgsql as $$
declare
  kept_since text := current_setting('docent.audit_kept_since', true);
begin
  if tg_op = 'DELETE' and coalesce(kept_since, '') <> ''
     and old.at < least(kept_since::timestamptz, now() - interval '1 day') then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_log_rows before update or delete on audit_log
  for each row execute function audit_log_is_append_only();
create trigger audit_log_table before truncate on audit_log
  for each statement execute function audit_log_is_append_only();
