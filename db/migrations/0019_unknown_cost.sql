-- Null: unknown. A call that was cut before the API had reported its use may have cost anything; it
-- is not a call that cost nothing.
alter table model_calls alter column cost_microusd drop not null, alter column cost_microusd drop default;
update model_calls set cost_microusd = null
 where settled_at is null or outcome in ('cut', 'cancelled', 'model_unreachable', 'usage_unknown')
   and input_tokens + output_tokens = 0;
