-- Which process makes a model call, or answers a first request: while it lives, it holds the advisory
-- lock of that number (db/holder.ts). Null: a worker, or a release before this one.
alter table model_calls add column holder integer;
alter table idempotency_keys add column holder integer;

-- What the cost limits read, a row per calendar month (UTC) of the call's start; kept by the
-- statement that settles a call (db/models/model-calls.ts).
create table model_costs (
  organization_id      text not null,
  api_key_id           text not null,                   -- '': without a key
  purpose              text not null check (purpose in ('agent', 'assistant')),
  month                date not null,
  cost_microusd        bigint not null default 0,
  calls_without_price  bigint not null default 0,
  primary key (organization_id, month, api_key_id, purpose)
) with (fillfactor = 70);                               -- a row changes with every call
create index model_costs_by_key on model_costs (api_key_id, month);
-- Only this month is ever read.
insert into model_costs
select organization_id, coalesce(api_key_id, ''), purpose,
       date_trunc('month', now() at time zone 'UTC')::date, coalesce(sum(cost_microusd), 0),
       count(*) filter (where cost_microusd is null and outcome <> 'usage_unknown'
                          and input_tokens + output_tokens > 0)
  from model_calls
 where started_at >= date_trunc('month', now(), 'UTC')
 group by 1, 2, 3;

-- What the list of questions is sorted and filtered by: kept by the statements that note a question
-- and delete old ones (db/assistant/questions.ts).
alter table question_groups
  add column asked integer not null default 0,
  add column newest_id text,                            -- its newest question
  add column newest_at timestamptz,
  add column newest_answered boolean not null default false;
-- Every question has a group; releases before 0.1.0 made some without.
insert into question_groups (id, project_id, words, created_at)
select distinct on (project_id, question_words(question)) id, project_id, question_words(question),
       created_at
  from questions where group_id is null
 order by project_id, question_words(question), created_at
on conflict (project_id, words) do nothing;
update questions q set group_id = g.id
  from question_groups g
 where q.group_id is null and g.project_id = q.project_id and g.words = question_words(q.question);
update question_groups g
   set asked = s.asked, newest_id = s.id, newest_at = s.at, newest_answered = s.answered
  from (select group_id, count(*)::int as asked, max(created_at) as at,
               (array_agg(id order by created_at desc, id desc))[1] as id,
               (array_agg(answered order by created_at desc, id desc))[1] as answered
          from questions group by 1) s
 where s.group_id = g.id;
