import type { Queryable } from '../pool.ts';
import { WITHOUT_PRICE } from './model-calls.ts';

/** What usage is summed by. */
export const USAGE_KINDS = ['project', 'person', 'key', 'model'] as const;
type UsageKind = (typeof USAGE_KINDS)[number];

export interface UsageDay {
  /** YYYY-MM-DD, UTC. */
  day: string;
  jobs: number;
  failedJobs: number;
  questions: number;
  unanswered: number;
  agentTokens: number;
  assistantTokens: number;
  /** Null: calls were made, and no cost is known. */
  agentCostMicroUsd: number | null;
  assistantCostMicroUsd: number | null;
  /** Calls whose cost is in neither sum. */
  callsOfUnknownCost: number;
  /** Those among them of models without a price. */
  callsWithoutPrice: number;
}

const TOKENS = 'input_tokens + output_tokens + cache_read_tokens + cache_write_tokens';
/** A call that still runs is not one of them; after an hour it does not. */
const UNKNOWN =
  'cost_microusd is null and (settled_at is not null ' +
  "or started_at < now() - interval '1 hour')";
/** The known costs: 0 without calls, null if no cost is known. */
const COST = (which = 'true') =>
  `coalesce(sum(cost_microusd) filter (where ${which}),
            case when count(*) filter (where ${which} and ${UNKNOWN}) = 0 then 0 end)::bigint`;
const DAY = (column: string) => `(${column} at time zone 'UTC')::date`;
/** The first moment of the first of $2 days, of which today is the last. */
const SINCE = `(date_trunc('day', now(), 'UTC') - make_interval(days => $2 - 1))`;

/**
 * What an organization used on each of the last `days` UTC days, oldest first; days without use
 * included.
 */
export async function readUsageDays(
  db: Queryable,
  organizationId: string,
  days: number,
): Promise<UsageDay[]> {
  const { rows } = await db.query<UsageDay>(
    `with days as (
            select generate_series(${DAY(SINCE)}, ${DAY('now()')}, interval '1 day')::date as day),
          jobs as (select ${DAY('created_at')} as day, count(*) as n,
                          count(*) filter (where state = 'failed') as failed
                     from jobs
                    where organization_id = $1 and created_at >= ${SINCE} and state <> 'given_up'
                    group by 1),
          asked as (select ${DAY('q.created_at')} as day, count(*) as n,
                           count(*) filter (where not answered) as unanswered
                      from questions q join projects p on p.id = q.project_id
                     where p.organization_id = $1 and q.created_at >= ${SINCE} group by 1),
          calls as (select ${DAY('started_at')} as day,
                           sum(${TOKENS}) filter (where purpose = 'agent') as agent_tokens,
                           sum(${TOKENS}) filter (where purpose = 'assistant') as assistant_tokens,
                           ${COST("purpose = 'agent'")} as agent_cost,
                           ${COST("purpose = 'assistant'")} as assistant_cost,
                           count(*) filter (where ${UNKNOWN}) as unknown,
                           count(*) filter (where ${WITHOUT_PRICE}) as without_price
                      from model_calls where organization_id = $1 and started_at >= ${SINCE}
                     group by 1)
     select to_char(day, 'YYYY-MM-DD') as day, coalesce(jobs.n, 0) as jobs,
            coalesce(jobs.failed, 0) as "failedJobs",
            coalesce(asked.n, 0) as questions, coalesce(asked.unanswered, 0) as unanswered,
            coalesce(agent_tokens, 0)::bigint as "agentTokens",
            coalesce(assistant_tokens, 0)::bigint as "assistantTokens",
            case when calls.day is null then 0 else agent_cost end as "agentCostMicroUsd",
            case when calls.day is null then 0 else assistant_cost end as "assistantCostMicroUsd",
            coalesce(unknown, 0) as "callsOfUnknownCost",
            coalesce(without_price, 0) as "callsWithoutPrice"
       from days left join jobs using (day) left join asked using (day) left join calls using (day)
      order by day`,
    [organizationId, days],
  );
  return rows;
}

export interface KeyDay {
  day: string;
  /** Null: started in the dashboard. */
  key: { id: string; name: string; start: string; kind: 'admin' | 'assistant' } | null;
  calls: number;
  tokens: number;
  costMicroUsd: number | null;
  callsOfUnknownCost: number;
  callsWithoutPrice: number;
}

/** Model calls by day and key, of the last `days` UTC days; only days on which there were some. */
export async function readKeyDays(
  db: Queryable,
  organizationId: string,
  days: number,
): Promise<KeyDay[]> {
  const { rows } = await db.query<KeyDay>(
    `select to_char(c.day, 'YYYY-MM-DD') as day, c.calls, c.tokens, c.cost as "costMicroUsd",
            c.unknown as "callsOfUnknownCost", c.without_price as "callsWithoutPrice",
            case when k.id is not null then
              jsonb_build_object('id', k.id, 'name', k.name, 'start', k.start, 'kind', k.kind)
            end as key
       from (select ${DAY('started_at')} as day, api_key_id, count(*) as calls,
                    sum(${TOKENS})::bigint as tokens,
                    ${COST()} as cost, count(*) filter (where ${UNKNOWN}) as unknown,
                    count(*) filter (where ${WITHOUT_PRICE}) as without_price
               from model_calls where organization_id = $1 and started_at >= ${SINCE}
              group by 1, 2) c
       left join api_keys k on k.id = c.api_key_id
      order by c.day, k.created_at, k.id`,
    [organizationId, days],
  );
  return rows;
}

export interface UsageTotal {
  kind: UsageKind;
  id: string | null;
  name: string | null;
  detail: string | null;
  calls: number;
  tokens: number;
  costMicroUsd: number | null;
  callsOfUnknownCost: number;
  callsWithoutPrice: number;
}

/** Model calls of the last `days` UTC days by project, person, key and model: read once. */
export async function readUsageTotals(
  db: Queryable,
  organizationId: string,
  days: number,
): Promise<UsageTotal[]> {
  const { rows } = await db.query<UsageTotal>(
    `with calls as (
       select c.*, j.user_id from model_calls c left join jobs j on j.id = c.job_id
        where c.organization_id = $1 and c.started_at >= ${SINCE}),
     sums as (
       select case when grouping(project_id) = 0 then 'project' when grouping(model) = 0 then 'model'
                   when grouping(api_key_id) = 0 then 'key' else 'person' end as kind,
              coalesce(project_id, model, api_key_id, user_id) as id, count(*) as calls,
              sum(${TOKENS})::bigint as tokens, ${COST()} as cost,
              count(*) filter (where ${UNKNOWN}) as unknown,
              count(*) filter (where ${WITHOUT_PRICE}) as without_price
         from calls group by grouping sets ((project_id), (model), (api_key_id), (user_id)))
     select s.kind, s.id, s.calls, s.tokens, s.cost as "costMicroUsd",
            s.unknown as "callsOfUnknownCost", s.without_price as "callsWithoutPrice",
            case when s.kind = 'model' then s.id else coalesce(p.name, u.name, k.name) end as name,
            coalesce(p.domain, k.start) as detail
       from sums s
       left join projects p on s.kind = 'project' and p.id = s.id
       left join users u on s.kind = 'person' and u.id = s.id
       left join api_keys k on s.kind = 'key' and k.id = s.id
      order by s.kind, s.tokens desc, s.calls desc, s.id`,
    [organizationId, days],
  );
  return rows;
}

export interface AssistantKeyUse {
  id: string;
  name: string;
  start: string;
  domain: string;
  monthlyLimit: number | null;
}

/** An organization's assistant keys that are not revoked, of projects that are there. */
export async function listAssistantKeys(
  db: Queryable,
  organizationId: string,
): Promise<AssistantKeyUse[]> {
  const { rows } = await db.query<AssistantKeyUse>(
    `select k.id, k.name, k.start, p.domain, k.monthly_limit as "monthlyLimit"
       from api_keys k join projects p on p.id = k.project_id
      where k.organization_id = $1 and k.kind = 'assistant' and k.revoked_at is null
        and p.deleted_at is null
      order by p.created_at, p.id, k.created_at, k.id`,
    [organizationId],
  );
  return rows;
}

/** When the present UTC hour, day and month end. */
export async function windowEnds(db: Queryable): Promise<{ hour: Date; day: Date; month: Date }> {
  const { rows } = await db.query<{ hour: Date; day: Date; month: Date }>(
    `select date_trunc('hour', now(), 'UTC') + interval '1 hour' as hour,
            (date_trunc('day', now() at time zone 'UTC') + interval '1 day')
              at time zone 'UTC' as day,
            (date_trunc('month', now() at time zone 'UTC') + interval '1 month')
              at time zone 'UTC' as month`,
  );
  return rows[0]!;
}
