-- What readers think of pages is listed by id: a cursor outlives the row that it names.
drop index concurrently if exists page_feedback_by_id;
create index concurrently page_feedback_by_id on page_feedback (project_id, id desc);
