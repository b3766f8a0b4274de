-- A job of an evaluation: it works and is checked like any other, and its edits stay here.
alter table jobs add column publishes boolean not null default true;
