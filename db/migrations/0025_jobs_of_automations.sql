-- # Which automation a job is of, for its page and lists

create index automation_runs_by_job on automation_runs (job_id) where job_id is not null;
