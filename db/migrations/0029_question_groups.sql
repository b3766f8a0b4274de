-- Questions of readers that are alike count as one: those whose stems are mostly the same.
create function question_words(question text) returns text[]
language sql immutable parallel safe as $$
  -- A question of stop words alone, or of none, keeps its words.
  select coalesce(nullif(tsvector_to_array(to_tsvector('english'::regconfig, left(question, 300))), '{}'),
                  tsvector_to_array(to_tsvector('simple'::regconfig, left(question, 300))))
$$;

create table question_groups (
  id         text primary key,                         -- that of its first question
  project_id text not null references projects on delete cascade,
  words      text[] not null,                          -- stems of its first question
  closed_at  timestamptz,                              -- when a person dismissed or resolved it
  page       text,                                     -- site path of the page that answers it
  created_at timestamptz not null default now(),
  unique (project_id, words)
);
create index question_groups_words on question_groups using gin (words);

alter table questions add column group_id text references question_groups on delete set null;
insert into question_groups (id, project_id, words, created_at)
  select distinct on (project_id, question_words(question))
         id, project_id, question_words(question), created_at
    from questions order by project_id, question_words(question), created_at, id;
update questions q set group_id = g.id from question_groups g
 where g.project_id = q.project_id and g.words = question_words(q.question);
create index questions_by_group on questions (group_id);
