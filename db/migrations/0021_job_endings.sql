-- The last turn ended because a person cancelled it.
alter table jobs add column cancelled boolean not null default false;
-- Earlier releases left only the message.
update jobs set cancelled = true
 where state = 'failed' and message_to_user ~ '^Cancelled( by an operator)?\. The edits are kept';
