-- A question is compared in meaning with the newest groups of its project alone.
create index question_groups_newest on question_groups (project_id, created_at desc, id desc)
  where vector is not null;
