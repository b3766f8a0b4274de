import type { Usage } from '../../shared/models/model-prices.ts';
import { USAGE_UNKNOWN } from '../../shared/models/reported-usage.ts';
import type { Queryable } from '../pool.ts';

/** One attempt at a model call, as the ledger knows it from the start. */
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

/** Enters a call before it is made: one that is never settled was cut, and its cost is unknown. */
export async function enterModelCall(db: Queryable, call: ModelCall): Promise<void> {
  const agent = call.purpose === 'agent' ? call : undefined;
  await db.query({
    name: 'enter-model-call',
    text: `insert into model_calls (id, organization_id, project_id, api_key_id, model, purpose,
                              job_id, run_id, activity_id, attempt)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      call.id,
      call.organizationId,
      call.projectId,
      call.apiKeyId,
      call.model,
      call.purpose,
      agent?.jobId ?? null,
      agent?.runId ?? null,
      agent?.activityId ?? null,
      agent?.attempt ?? 1,
    ],
  });
}

/**
 * Settles a call, once, and adds what it used to its job's counters, whether or not its answer will
 * count: a call of a run that was rewound, or one that was cut after the API had begun to bill, was
 * paid for, too. `outcome` is `ok`, `cut`, or the error's type. Without `costMicroUsd` the cost
 * stays unknown, which is not zero: with tokens that were counted, the model has no price.
 */
export async function settleModelCall(
  db: Queryable,
  id: string,
  outcome: string,
  settled: {
    model?: string;
    requestId?: string | null;
    usage?: Usage;
    costMicroUsd?: number | undefined;
    /** Whether the endpoint reports what it read from its cache. */
    tellsCaching?: boolean;
  },
): Promise<void> {
  await db.query({
    name: 'settle-model-call',
    text: `with settled as (
       update model_calls
          set outcome = $2, model = coalesce($3, model), request_id = $4, input_tokens = $5,
              output_tokens = $6, cache_read_tokens = $7, cache_write_tokens = $8,
              cost_microusd = $9, settled_at = now()
        where id = $1 and settled_at is null returning *, (${WITHOUT_PRICE})::int as without_price
     )
     update jobs j
        set input_tokens = j.input_tokens + s.input_tokens,
            output_tokens = j.output_tokens + s.output_tokens,
            cache_read_tokens = j.cache_read_tokens + s.cache_read_tokens,
            cache_write_tokens = j.cache_write_tokens + s.cache_write_tokens,
            cost_microusd = j.cost_microusd + coalesce(s.cost_microusd, 0),
            calls_without_price = j.calls_without_price + s.without_price,
            calls_of_unknown_cost = j.calls_of_unknown_cost + (s.cost_microusd is null)::int,
            calls_of_unknown_caching =
              j.calls_of_unknown_caching + (s.input_tokens + s.output_tokens > 0 and not $10)::int
       from settled s where j.id = s.job_id`,
    values: [
      id,
      outcome,
      settled.model ?? null,
      settled.requestId ?? null,
      settled.usage?.inputTokens ?? 0,
      settled.usage?.outputTokens ?? 0,
      settled.usage?.cacheReadTokens ?? 0,
      settled.usage?.cacheWriteTokens ?? 0,
      settled.costMicroUsd ?? null,
      settled.tellsCaching ?? true,
    ],
  });
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
            count(*) filter (where ${WITHOUT_PRICE}) as "callsWithoutPrice",
            ceil(extract(epoch from
              date_trunc('month', now(), 'UTC') + interval '1 month' - now()))::int as "secondsLeft"
       from model_calls
      where organization_id = $1 and ($2::text is null or api_key_id = $2) and purpose = 'agent'
        and started_at >= date_trunc('month', now(), 'UTC')`,
    [organizationId, apiKeyId ?? null],
  );
  return rows[0]!;
}

/** What a key's answers have cost this calendar month (UTC), in millionths of a US dollar. */
export async function keyCostThisMonth(db: Queryable, apiKeyId: string): Promise<number> {
  const { rows } = await db.query<{ cost: string | number }>(
    `select coalesce(sum(cost_microusd), 0) as cost from model_calls
      where api_key_id = $1 and started_at >= date_trunc('month', now(), 'UTC')`,
    [apiKeyId],
  );
  return Number(rows[0]?.cost ?? 0);
}
