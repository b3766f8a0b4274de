-- When a change was given to the model that judges it, for the limit per hour, and what the retention
-- of runs looks for.
alter table automation_runs add column checked_at timestamptz;
create index on automation_runs (automation_id, checked_at) where checked_at is not null;
create index on automation_runs (finished_at);
