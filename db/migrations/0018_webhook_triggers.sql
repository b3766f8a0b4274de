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

-- The job is idle since this event: it waits for a person, or its turn ended, or nobody came.
create function tell_of_rest(job jobs, event job_events) returns void language sql as $$
  select tell_webhooks('evt_' || job.id || '_' || event.seq,
    case when job.waiting_for is null then 'job.' || job.state else 'job.waiting' end, job.project_id,
    case when job.waiting_for is not null then
      jsonb_build_object('id', job.id, 'waitingFor', job.waiting_for,
                         'reminder', event.data ->> 'state' = 'reminded', 'prLink', job.pr_link)
    else
      jsonb_build_object('id', job.id, 'status', job.state, 'prLink', job.pr_link, 'result',
        (select e.data ->> 'outcome' from job_events e
          where e.job_id = job.id and e.type = 'finish' order by e.seq desc limit 1))
    end)
   where job.waiting_for is null or event.type = 'waiting'
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
    perform tell_of_rest(job, new);
  end if;
  return null;
end
$$;

-- A job also becomes idle without an event: the instruction that was next when its turn ended was
-- withdrawn or dropped. What was told then is not told again: it has the same id.
create function job_rest_to_webhooks() returns trigger language plpgsql as $$
declare
  event job_events%rowtype;
begin
  select * into event from job_events
   where job_id = new.id and type in ('finish', 'waiting')
     and (new.waiting_for is null or type = 'waiting')
   order by seq desc limit 1;
  if found then
    perform tell_of_rest(new, event);
  end if;
  return null;
end
$$;
create trigger job_rests_to_webhooks after update of state on jobs for each row
  when (old.state = 'active' and new.state in ('completed', 'failed') and new.publishes
        and new.last_event = old.last_event)
  execute function job_rest_to_webhooks();
