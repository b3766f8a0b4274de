-- What a reader asked, to hand it out and to delete it.
drop index concurrently if exists threads_of_reader;
create index concurrently threads_of_reader on threads (project_id, fp, id);
