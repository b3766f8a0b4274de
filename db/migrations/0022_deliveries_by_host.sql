-- What a host's webhook told is kept by host: two hosts may have a repository of one name, and
-- deliveries of one id. The tables keep their names, so that processes of the last version work on
-- while they are restarted one by one.
alter table github_deliveries add column host text not null default 'github';
alter table github_deliveries drop constraint github_deliveries_pkey, add primary key (host, id);
alter table github_repository_names add column host text not null default 'github';
alter table github_repository_names
  drop constraint github_repository_names_pkey, add primary key (host, name);
drop index github_repository_names_repository_id_idx;
create index on github_repository_names (host, repository_id);
alter table github_pull_requests add column host text not null default 'github';
alter table github_pull_requests
  drop constraint github_pull_requests_pkey, add primary key (host, repository, number);

-- As before, of any host that tells.
create or replace view branch_holds_in_review as
  select h.repository_url, h.branch, h.job_id
    from branch_holds h join jobs j on j.id = h.job_id
   where case j.host
           when 'local' then exists (
             select 1 from hosted_pull_requests p
              where p.host = j.host and p.repository = j.repository and p.head = h.branch
                and p.state = 'open')
           else j.pr_link is not null and j.archived_at is null and not exists (
             select 1 from github_pull_requests p
              where p.host = j.host and p.repository = lower(j.repository)
                and p.number = j.pr_number and p.state <> 'open')
         end;
