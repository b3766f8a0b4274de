-- What `docent doctor` found when a model was given the agent's tools: whether it edited a page with
-- them (null: it was not tried), in words, and how fast it wrote.
alter table model_endpoints
  add column edits boolean,
  add column edits_says text,
  add column tokens_per_second real;
