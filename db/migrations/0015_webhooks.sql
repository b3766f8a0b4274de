-- # Webhooks to others: Standard Webhooks, https://www.standardwebhooks.com

create table webhook_endpoints (
  id               text primary key,
  organization_id  text not null references organizations on delete cascade,
  project_id       text references projects on delete cascade, -- null: of all projects
  url              text not null,
  events           text[] not null,
  secret           bytea not null,                      -- encrypted with ENCRYPTION_KEY, and so is the next
  old_secret       bytea,                               -- signs as well, until:
  old_secret_until timestamptz,
  failing_since    timestamptz,                         -- of its first failure since a success
  disabled_at      timestamptz,
  disabled_why     text,                                -- null: a person did it; else a sentence
  created_at       timestamptz not null default now()
);
create index on webhook_endpoints (organization_id, created_at, id);
create index on webhook_endpoints (project_id) where project_id is not null;

-- What is to be told to an endpoint, written with what it tells of: neither exists without the other.
create table webhook_deliveries (
  endpoint_id  text not null references webhook_endpoints on delete cascade,
  event_id     text not null,                           -- "webhook-id": made of what it tells of, so that nothing is told twice
  type         text not null,
  body         text not null,                           -- the same bytes in each attempt
  state        text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts     integer not null default 0,
  due_at       timestamptz not null default now(),      -- while it is being sent: when another process may
  answer       text,                                    -- to the newest attempt
  created_at   timestamptz not null default now(),
  attempted_at timestamptz,
  primary key (endpoint_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, due_at) where state = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (endpoint_id, created_at desc, event_id desc);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

create function webhook_body(type text, data jsonb) returns text language sql as $$
  select json_build_object('type', type, 'timestamp',
           to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data)::text
$$;

-- Tells the endpoints of a project that want this.
create function tell_webhooks(event_id text, type text, project_id text, data jsonb) returns void
language sql as $$
  insert into webhook_deliveries (endpoint_id, event_id, type, body)
  select e.id, $1, $2, webhook_body($2, $4 || jsonb_build_object('projectId', $3))
    from projects p join webhook_endpoints e on e.organization_id = p.organization_id
   where p.id = $3 and (e.project_id is null or e.project_id = p.id) and e.disabled_at is null
     and $2 = any(e.events)
  on conflict do nothing
$$;

-- The jobs of a pull request, in lower case; also those that have another one by now.
create function tell_of_merge(of_host text, of_repository text, of_number integer) returns void
language sql as $$
  select tell_webhooks('evt_' || j.id || '_merged_' || of_number, 'pull_request.merged', j.project_id,
                       jsonb_build_object('id', j.id, 'number', of_number, 'prLink', p.pr_link))
    from jobs j
    cross join lateral (select pr_link from publications
                         where job_id = j.id and pr_number = of_number and state = 'published'
                         order by id desc limit 1) p
   where j.host = of_host and lower(j.repository) = of_repository and j.pr_number is not null
$$;

-- Triggers see the job as the statement leaves it that stores the event, whoever stores it.
create function job_event_to_webhooks() returns trigger language plpgsql as $$
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
    -- Its host may have told of the merge before we knew that it is ours.
    if exists (select from github_pull_requests p
                where p.host = job.host and p.repository = lower(job.repository)
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
create trigger job_events_to_webhooks after insert on job_events for each row
  when (new.type in ('finish', 'waiting')
        or new.type = 'pull_request' and new.data ->> 'state' = 'opened')
  execute function job_event_to_webhooks();

create function merge_to_webhooks() returns trigger language plpgsql as $$
begin
  perform tell_of_merge(tg_argv[0], lower(new.repository), new.number);
  return null;
end
$$;
create function hosted_merge_to_webhooks() returns trigger language plpgsql as $$
begin
  perform tell_of_merge(new.host, new.repository, new.number);
  return null;
end
$$;
create trigger github_merges_to_webhooks after insert on github_pull_requests for each row
  when (new.state = 'merged') execute function hosted_merge_to_webhooks();
create trigger github_changes_to_webhooks after update on github_pull_requests for each row
  when (new.state = 'merged' and old.state <> 'merged') execute function hosted_merge_to_webhooks();
create trigger local_merges_to_webhooks after update on local_pull_requests for each row
  when (new.state = 'merged' and old.state <> 'merged') execute function merge_to_webhooks('local');

create function run_to_webhooks() returns trigger language plpgsql as $$
begin
  perform tell_webhooks('evt_' || new.id, 'automation.run', a.project_id, jsonb_build_object(
            'id', new.id, 'automationId', a.id, 'outcome', new.outcome, 'jobId', new.job_id,
            'prLink', new.pr_link))
     from automations a where a.id = new.automation_id;
  return null;
end
$$;
create trigger automation_runs_to_webhooks after update on automation_runs for each row
  when (new.state = 'done' and old.state <> 'done') execute function run_to_webhooks();
