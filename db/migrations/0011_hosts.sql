-- Which kinds of repository hosts there are is the code's business (hosts/registry.ts): another one
-- needs no migration of its own.
alter table projects drop constraint projects_host_check;
alter table projects add constraint projects_host_check check (host ~ '^[a-z][a-z0-9-]{0,30}$');

-- Pull requests that Docent itself keeps, by the host that a project names.
create view hosted_pull_requests as
  select 'local'::text as host, repository, number, head, state from local_pull_requests;

-- Held branches with a pull request that is open, as far as is known: of a hosted one its row tells,
-- of others what the host's webhook told. A pull request that nobody told about counts as open until
-- its job is archived.
create view branch_holds_in_review as
  select h.repository_url, h.branch, h.job_id
    from branch_holds h join jobs j on j.id = h.job_id
   where case j.host
           when 'local' then exists (
             select 1 from hosted_pull_requests p
              where p.host = j.host and p.repository = j.repository and p.head = h.branch
                and p.state = 'open')
           else j.pr_link is not null and j.archived_at is null and not exists (
             select 1 from github_pull_requests p
              where j.host = 'github' and p.repository = lower(j.repository)
                and p.number = j.pr_number and p.state <> 'open')
         end;
