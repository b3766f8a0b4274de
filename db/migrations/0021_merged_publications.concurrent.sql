-- The jobs of a merged pull request.
drop index concurrently if exists publications_by_pull_request;
create index concurrently publications_by_pull_request on publications (pr_number)
 where state = 'published';
