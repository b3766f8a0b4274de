import type { Result } from '../../shared/jobs/result.ts';
import type { Queryable } from '../pool.ts';

/**
 * What came of a turn that ends well, by those of its events that no rewind has undone. A turn that
 * called neither `finish` nor published anything only answered, unless the policy refused its edits.
 */
export async function resultOfCompletedTurn(
  db: Queryable,
  jobId: string,
  turn: number,
): Promise<Result> {
  const { rows } = await db.query<{ result: Result }>(
    `with standing as (
       select e.type, e.data from job_events e
        where e.job_id = $1 and e.type in ('pull_request', 'tool_result')
          and (e.data ->> 'turn')::integer = $2
          and not exists (
            select from job_events r
             where r.job_id = $1 and r.type = 'rewound' and r.seq > e.seq
               and ((r.data ->> 'turn')::integer, (r.data ->> 'step')::integer)
                   <= ($2, coalesce((e.data ->> 'step')::integer, 2147483647))))
     select case
       when exists (select from standing where type = 'pull_request') then 'published'
       when exists (select from standing where data ? 'refusedBy') then 'declined'
       when exists (select from standing
                     where data ->> 'toolName' = 'finish' and not (data ->> 'isError')::boolean)
         then 'unchanged'
       else 'answered' end as result`,
    [jobId, turn],
  );
  return rows[0]!.result;
}
