import type { Usage } from '../../shared/models/model-prices.ts';
import { USAGE_UNKNOWN } from '../../shared/models/reported-usage.ts';
import { HOLDER, isGone } from '../holder.ts';
import type { Queryable } from '../pool.ts';

/** One attempt at a model call, as the ledger knows it from the start; null `apiKeyId`: a person's. */
export type ModelCall = {
  id: string;
  organizationId: string;
  projectId: string;
  apiKeyId: string | null;
  model: string;
} & (
  | { purpose: 'assistant' }
  | { purpose: 'agent'; jobId: string; runId: string; activityId: string; attempt: number }
);

/** Of a settled call: its tokens were counted, and its model has no price. */
export const WITHOUT_PRICE = `cost_microusd is null and outcome <> '${USAGE_UNKNOWN}' and input_tokens + output_tokens > 0`;

/** The outcome of a call that nobody settled, until it is settled after all. */
const LOST = 'lost';

/** Enters a call before it is made. */
export async function enterModelCall(db: Queryable, call: ModelCall): Promise<void> {
  const agent = call.purpose === 'agent' ? call : undefined;
  await db.query({
    name: 'enter-model-call',
    text: `insert into model_calls (id, organization_id, project_id, api_key_id, model, purpose,
                              job_id, run_id, activity_id, attempt, holder)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[call.id, call.organizationId, call.projectId, call.apiKeyId, call.model, call.purpose],
      ...[agent?.jobId ?? null, agent?.runId ?? null, agent?.activityId ?? null],
      ...[agent?.attempt ?? 1, agent ? null : HOLDER],
    ],
  });
}

/** Notes the server's name for a call as soon as it answers: it stays if nobody settles the call. */
export async function noteRequestId(db: Queryable, id: string, requestId: string): Promise<void> {
  await db.query('update model_calls set request_id = $2 where id = $1', [id, requestId]);
}

/** Takes back a call that was not made. */
export async function withdrawModelCall(db: Queryable, id: string): Promise<void> {
  await db.query('delete from model_calls where id = $1 and settled_at is null', [id]);
}

/** What came of a call. */
export interface SettledCall {
  /** `ok`, `cut`, or the error's type. */
  outcome: string;
  model: string;
  requestId: string | null;
  usage: Usage;
  /**
   * Undefined: unknown, which is not zero; with tokens that were counted, the model has no price.
   */
  costMicroUsd: number | undefined;
  /** Whether the endpoint reports what it read from its cache. */
  tellsCaching: boolean;
}

/**
 * Settles a call, once, and adds what it used to the sums that limits read and to its job's
 * counters, whether or not its answer will count: a call of a run that was rewound, or one that was
 * cut after the API had begun to bill, was paid for, too.
 */
export async function settleModelCall(
  db: Queryable,
  id: string,
  settled: SettledCall,
): Promise<void> {
  const { usage } = settled;
  await db.query({
    name: 'settle-model-call',
    text: `with open as (
       select id, outcome = '${LOST}' as was_lost from model_calls
        where id = $1 and (settled_at is null or outcome = '${LOST}') for update
     ), settled as (
       update model_calls c
          set outcome = $2, model = $3, request_id = coalesce($4, request_id), input_tokens = $5,
              output_tokens = $6, cache_read_tokens = $7, cache_write_tokens = $8,
              cost_microusd = $9, settled_at = now()
         from open where c.id = open.id
       returning c.*, open.was_lost, (${WITHOUT_PRICE})::int as without_price
     ), summed as (
       insert into model_costs as m (organization_id, api_key_id, purpose, month, cost_microusd,
                                     calls_without_price)
       select organization_id, coalesce(api_key_id, ''), purpose,
              date_trunc('month', started_at at time zone 'UTC')::date,
              coalesce(cost_microusd, 0), without_price
         from settled where cost_microusd > 0 or without_price > 0
       on conflict (organization_id, month, api_key_id, purpose) do update
          set cost_microusd = m.cost_microusd + excluded.cost_microusd,
              calls_without_price = m.calls_without_price + excluded.calls_without_price
     )
     update jobs j
        set input_tokens = j.input_tokens + s.input_tokens,
            output_tokens = j.output_tokens + s.output_tokens,
            cache_read_tokens = j.cache_read_tokens + s.cache_read_tokens,
            cache_write_tokens = j.cache_write_tokens + s.cache_write_tokens,
            cost_microusd = j.cost_microusd + coalesce(s.cost_microusd, 0),
            calls_without_price = j.calls_without_price + s.without_price,
            calls_of_unknown_cost =
              j.calls_of_unknown_cost + (s.cost_microusd is null)::int - s.was_lost::int,
            calls_of_unknown_caching =
              j.calls_of_unknown_caching + (s.input_tokens + s.output_tokens > 0 and not $10)::int
       from settled s where j.id = s.job_id`,
    values: [
      ...[id, settled.outcome, settled.model, settled.requestId],
      ...[usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens],
      ...[settled.costMicroUsd ?? null, settled.tellsCaching],
    ],
  });
}

/** How many attempts of one model call were entered and never settled. */
export async function lostAttempts(
  db: Queryable,
  { jobId, runId, activityId }: { jobId: string; runId: string; activityId: string },
): Promise<number> {
  const { rows } = await db.query<{ lost: number }>(
    `select count(*)::int as lost from model_calls
      where job_id = $1 and run_id = $2 and activity_id = $3
        and (settled_at is null or outcome = '${LOST}')`,
    [jobId, runId, activityId],
  );
  return rows[0]?.lost ?? 0;
}

/**
 * Closes up to `limit` calls that their process can no longer settle, with what is known of them:
 * it is gone, the activity was tried again, or its job no longer works. One that was believed dead
 * and is not settles its call all the same. How many it were.
 */
export async function closeLostCalls(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ lost: number }>(
    `with lost as (
       update model_calls set outcome = '${LOST}', settled_at = now()
        where id = any(array(
          select c.id from model_calls c left join jobs j on j.id = c.job_id
           where c.settled_at is null and c.started_at < now() - interval '10 seconds'
             and case
                   when c.holder is not null then ${isGone('c.holder')}
                   when c.purpose = 'assistant' then c.started_at < now() - interval '1 hour'
                   else exists (select from model_calls later
                                 where later.job_id = c.job_id and later.run_id = c.run_id
                                   and later.activity_id = c.activity_id
                                   and later.attempt > c.attempt)
                     or (c.started_at < now() - interval '5 minutes'
                         and coalesce(j.state, '') <> 'active')
                     or c.started_at < now() - interval '26 hours'
                 end
           order by c.started_at limit $1 for update of c skip locked))
       returning job_id
     ), told as (
       update jobs j set calls_of_unknown_cost = j.calls_of_unknown_cost + n.calls
         from (select job_id, count(*)::int as calls from lost group by 1) n where j.id = n.job_id
     )
     select count(*) as lost from lost`,
    [limit],
  );
  return rows[0]!.lost;
}

/** Deletes up to `limit` calls of the ledger that are older than so many days. How many it were. */
export async function deleteOldModelCalls(
  db: Queryable,
  days: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from model_calls where ctid = any(array(
       select ctid from model_calls where started_at < now() - make_interval(days => $1)
        order by started_at limit $2))`,
    [days, limit],
  );
  return rowCount ?? 0;
}

interface MonthlyCost {
  microUsd: number;
  callsWithoutPrice: number;
  secondsLeft: number;
}

const THIS_MONTH = `date_trunc('month', now() at time zone 'UTC')::date`;

/**
 * Millionths of a US dollar that an organization's agent jobs, or those of one of its keys, have
 * cost in this UTC calendar month, how many calls of models without a price are not in it, and when
 * the month ends (s from now).
 */
export async function monthlyCost(
  db: Queryable,
  organizationId: string,
  apiKeyId?: string,
): Promise<MonthlyCost> {
  const { rows } = await db.query<MonthlyCost>(
    `select coalesce(sum(cost_microusd), 0)::bigint as "microUsd",
            coalesce(sum(calls_without_price), 0)::bigint as "callsWithoutPrice",
            ceil(extract(epoch from
              date_trunc('month', now(), 'UTC') + interval '1 month' - now()))::int as "secondsLeft"
       from model_costs
      where organization_id = $1 and ($2::text is null or api_key_id = $2) and purpose = 'agent'
        and month = ${THIS_MONTH}`,
    [organizationId, apiKeyId ?? null],
  );
  return rows[0]!;
}

/** What a key's answers have cost this calendar month (UTC), in millionths of a US dollar. */
export async function keyCostThisMonth(db: Queryable, apiKeyId: string): Promise<number> {
  const { rows } = await db.query<{ cost: number }>(
    `select coalesce(sum(cost_microusd), 0)::bigint as cost from model_costs
      where api_key_id = $1 and month = ${THIS_MONTH}`,
    [apiKeyId],
  );
  return rows[0]!.cost;
}
