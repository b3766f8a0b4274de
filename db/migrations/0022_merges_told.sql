-- The jobs of a pull request, in lower case; also those that have another one by now. A merge and the
-- event of the pull request's opening wait for each other: of two transactions at one moment neither
-- sees what the other writes, and nobody would tell of the merge.
drop function tell_of_merge(text, text, integer);
create function tell_of_merge(of_host text, of_repository text, of_number integer) returns void
language plpgsql as $$
begin
  perform one_of_merge_and_opening(of_host, of_repository, of_number);
  perform tell_webhooks('evt_' || j.id || '_merged_' || of_number, 'pull_request.merged',
            j.project_id, jsonb_build_object('id', j.id, 'number', of_number, 'prLink', p.pr_link))
     from (select distinct on (job_id) job_id, pr_link from publications
            where pr_number = of_number and state = 'published'
            order by job_id, id desc) p
     join jobs j on j.id = p.job_id
    where j.host = of_host and lower(j.repository) = of_repository;
end
$$;

create function one_of_merge_and_opening(of_host text, of_repository text, of_number integer)
returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(
    'merge ' || of_host || ' ' || of_repository || ' ' || of_number, 0))
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
    perform one_of_merge_and_opening(job.host, lower(job.repository), job.pr_number);
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

-- Each rotation within the time of grace adds one: all of them sign until that ends.
alter table webhook_endpoints
  alter column old_secret type bytea[] using array_remove(array[old_secret], null);
alter table webhook_endpoints rename column old_secret to old_secrets;
update webhook_endpoints set old_secrets = '{}' where old_secrets is null;
alter table webhook_endpoints
  alter column old_secrets set default '{}', alter column old_secrets set not null;

-- When a delivery of the watched repository last said that something happened there.
alter table automations add column told_at timestamptz;
