-- When a pull request was merged or closed, for charts over time.
create or replace view hosted_pull_requests as
  select 'local'::text as host, repository, number, head, state, closed_at from local_pull_requests;
create index local_pull_requests_merged on local_pull_requests (repository, closed_at)
 where state = 'merged';
create index github_pull_requests_merged on github_pull_requests (repository, updated_at)
 where state = 'merged';
