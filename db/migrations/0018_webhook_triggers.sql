-- What stores an event neither waits for a webhook that is being removed, nor fails because it is gone
-- by the time that the foreign key looks.
create or replace function tell_webhooks(event_id text, type text, project_id text, data jsonb)
returns void language sql as $$
  insert into webhook_deliveries (endpoint_id, event_id, type, body)
  select e.id, $1, $2, webhook_body($2, $4 || jsonb_build_object('projectId', $3))
    from projects p join webhook_endpoints e on e.organization_id = p.organization_id
   where p.id = $3 and (e.project_id is null or e.project_id = p.id) and e.disabled_at is null
     and $2 = any(e.events)
     for key share of e skip locked
  on conflict do nothing
$$;
