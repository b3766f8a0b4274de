-- Failures in a row count since a person resumed the automation.
alter table automations add column resumed_at timestamptz;

-- What the brakes count: runs of an hour and of a month, and those that run.
create index on automation_runs (automation_id, started_at);
create index automation_runs_running on automation_runs (automation_id) where state = 'running';
