-- Lists of jobs over an organization, by person and by model, newest first.
create index jobs_by_organization on jobs (organization_id, created_at desc, id desc);
create index jobs_by_person on jobs (organization_id, user_id, created_at desc, id desc);
create index jobs_by_model on jobs (organization_id, model, created_at desc, id desc);
create index jobs_by_pull_request on jobs (organization_id, pr_number) where pr_number is not null;
-- What the palette searches, by the beginnings of words; the names in a path are words of their own.
create index jobs_by_words on jobs using gin (
  to_tsvector('simple', translate(
    coalesce(title, '') || ' ' || left(prompt, 300) || ' ' || branch, '/._-', '    ')));
create index questions_by_words on questions using gin (
  to_tsvector('simple', translate(left(question, 300), '/._-', '    ')));
