-- What an activity was asked, as a hash: a result answers the same question only. A Temporal
-- server that was restored from a backup gives the run and the activity id again to another one.
-- Null: stored by an earlier release.
alter table activity_results add column input_hash bytea;
