-- What a job's sums leave out: calls of models without a price, all calls of unknown cost (those
-- among them), and calls whose endpoint does not report what it read from its cache.
alter table jobs
  add column calls_without_price integer not null default 0,
  add column calls_of_unknown_cost integer not null default 0,
  add column calls_of_unknown_caching integer not null default 0;
