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

create or replace function job_event_to_webhooks() returns trigger language plpgsql as $$
declare
  job jobs%rowtype;
begin
  select * into job from jobs where id = new.job_id;
  if not job.publishes then
    return null;                                        -- an evaluation
  end if;
  if new.type = 'pull_request' then
    perform tell_webhooks('evt_' || job.id || '_' || new.seq, 'pull_request.opened', job.project_id,
      jsonb_build_object('id', job.id, 'number', job.pr_number, 'prLink', job.pr_link));
    -- It may have been merged before we knew that it is ours.
    if exists (select from github_pull_requests p
                where p.host = job.host and p.repository = lower(job.repository)
                  and p.number = job.pr_number and p.state = 'merged')
       or exists (select from hosted_pull_requests p
                   where p.host = job.host and p.repository = job.repository
                     and p.number = job.pr_number and p.state = 'merged') then
      perform tell_of_merge(job.host, lower(job.repository), job.pr_number);
    end if;
  elsif job.state in ('completed', 'failed') then       -- else a further instruction is next
    if job.waiting_for is not null and new.type = 'waiting' then
      perform tell_webhooks('evt_' || job.id || '_' || new.seq, 'job.waiting', job.project_id,
        jsonb_build_object('id', job.id, 'waitingFor', job.waiting_for,
                           'reminder', new.data ->> 'state' = 'reminded', 'prLink', job.pr_link));
    elsif job.waiting_for is null then                  -- it ended, or nobody came
      perform tell_webhooks('evt_' || job.id || '_' || new.seq, 'job.' || job.state, job.project_id,
        jsonb_build_object('id', job.id, 'status', job.state, 'prLink', job.pr_link, 'result',
          coalesce(new.data ->> 'outcome',
                   (select e.data ->> 'outcome' from job_events e
                     where e.job_id = job.id and e.type = 'finish' order by e.seq desc limit 1))));
    end if;
  end if;
  return null;
end
$$;
