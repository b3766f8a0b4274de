-- The ledger's sweep finds what nobody has settled.
drop index concurrently if exists model_calls_open;
create index concurrently model_calls_open on model_calls (started_at) where settled_at is null;
