-- Who a planned commit names as its author, {name, email}; null: Docent. Fixed with the plan: the
-- project's setting may change before the push.
alter table publications add column author jsonb;
