-- A job's row changes with every activity. While no index has a column that always changes, Postgres
-- writes such a change into no index, and the words of a job are not computed again each time.
drop index jobs_state_updated_at_idx;
drop index jobs_given_up;
create index jobs_live on jobs (project_id) where state in ('starting', 'active');
create index jobs_given_up on jobs (created_at) where state = 'given_up';
-- Room for the next versions of a row beside it.
alter table jobs set (fillfactor = 70);
