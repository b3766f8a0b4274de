-- The ledger's sweep finds what nobody has settled.
drop index concurrently if exists model_calls_open;
create index concurrently model_calls_open on model_calls (started_at) where settled_at is null;
-- The preview of a branch, as its host announces it; and what the hosts are asked for.
drop index concurrently if exists jobs_by_ref;
create index concurrently jobs_by_ref on jobs (lower(repository), ref) where ref is not null;
drop index concurrently if exists jobs_by_end;
create index concurrently jobs_by_end on jobs (finished_at)
 where state = 'completed' and archived_at is null;
-- The list of questions, and how many wait for an answer.
drop index concurrently if exists question_groups_most_asked;
create index concurrently question_groups_most_asked
    on question_groups (project_id, asked desc, newest_at desc, id desc);
drop index concurrently if exists question_groups_unanswered;
create index concurrently question_groups_unanswered on question_groups (project_id, newest_at)
 where not newest_answered;
drop index concurrently if exists questions_of_group;
create index concurrently questions_of_group on questions (group_id, created_at desc);
drop index concurrently if exists questions_by_group;
-- Pull requests of the built-in host, by page.
drop index concurrently if exists local_pull_requests_by_state;
create index concurrently local_pull_requests_by_state
    on local_pull_requests (repository, state, number desc);
