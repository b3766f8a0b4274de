-- The end of a turn says what came of it: the jobs of before get it from their other events, but for
-- those that a rewind had undone by then.
update job_events f
   set data = f.data || jsonb_build_object('outcome', case
     when f.data ->> 'status' = 'failed' then
       case when (f.data ->> 'cancelled')::boolean then 'cancelled' else 'failed' end
     else (
       select case
           when bool_or(e.type = 'pull_request') then 'published'
           when bool_or(e.data ? 'refusedBy') then 'declined'
           when bool_or(e.data ->> 'toolName' = 'finish' and not (e.data ->> 'isError')::boolean)
             then 'unchanged'
           else 'answered' end
         from job_events e
        where e.job_id = f.job_id and e.seq < f.seq and e.type in ('pull_request', 'tool_result')
          and e.data -> 'turn' = f.data -> 'turn'
          and not exists (
            select from job_events r
             where r.job_id = f.job_id and r.type = 'rewound' and r.seq > e.seq and r.seq < f.seq
               and ((r.data ->> 'turn')::integer, (r.data ->> 'step')::integer)
                   <= ((e.data ->> 'turn')::integer, coalesce((e.data ->> 'step')::integer, 2147483647))))
     end)
 where f.type = 'finish';
