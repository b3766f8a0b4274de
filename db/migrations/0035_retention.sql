-- Retention finds what it deletes by an index, and so does each foreign key what it must delete or
-- set to null: without one, every row that goes reads a whole table.
create index jobs_archived on jobs (archived_at) where archived_at is not null;
create index jobs_given_up on jobs (updated_at) where state = 'given_up';
create index idempotency_keys_by_job on idempotency_keys (job_id);
create index questions_by_thread on questions (thread_id) where thread_id is not null;
create index questions_by_job on questions (job_id) where job_id is not null;
create index review_comments_by_person on review_comments (user_id) where user_id is not null;
create index question_groups_by_age on question_groups (created_at);
create index model_calls_by_time on model_calls (started_at);
create index ended_pull_requests_by_age on github_pull_requests (updated_at) where state <> 'open';
-- A webhook names a pull request by its repository in lower case.
create index jobs_by_repository on jobs (host, lower(repository), pr_number)
 where pr_number is not null;
-- The pull requests of a branch in the built-in host.
create index local_pull_requests_by_branch on local_pull_requests (repository, head);
