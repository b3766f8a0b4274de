-- # Jobs that wait for a person

alter table jobs
  add column waiting_for text check (waiting_for in ('approval', 'answer', 'budget')),
  add column budget_microusd bigint check (budget_microusd > 0), -- null: none
  add column allowed_forms jsonb not null default '[]';          -- of what the policy refuses

alter table instructions
  add column answer jsonb,                                -- the decision of a person, in place of words
  add column plan_first boolean not null default false;   -- it is carried out once its plan is approved
