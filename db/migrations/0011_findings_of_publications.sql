-- What the checks had found when a publication was planned; null before this was kept.
alter table publications add column findings jsonb;
