import type { Queryable } from '../pool.ts';
import { newId } from '../../ids.ts';
import type { Usage } from '../../models/model-prices.ts';

/** Enters a model attempt before it is made: one that is never settled was cut. Returns its id. */
export async function enterModelCall(
  db: Queryable,
  call: {
    organizationId: string;
    projectId: string;
    apiKeyId: string | null;
    jobId: string;
    runId: string;
    activityId: string;
    attempt: number;
    model: string;
  },
): Promise<string> {
  const id = newId('call');
  await db.query(
    `insert into model_calls (id, organization_id, project_id, api_key_id, job_id, purpose, run_id, activity_id, attempt, model)
     values ($1, $2, $3, $4, $5, 'agent', $6, $7, $8, $9)`,
    [
      id,
      call.organizationId,
      call.projectId,
      call.apiKeyId,
      call.jobId,
      call.runId,
      call.activityId,
      call.attempt,
      call.model,
    ],
  );
  return id;
}

/**
 * Settles an attempt and adds what it used to its job's counters, whether or not its answer will
 * count: also an attempt of a run that was rewound, or one that was cut after the API had begun to
 * bill, was paid for.
 */
export async function settleModelCall(
  db: Queryable,
  id: string,
  outcome: string,
  settled: { model?: string; requestId?: string | null; usage?: Usage; costMicroUsd?: number },
): Promise<void> {
  await db.query(
    `with settled as (
       update model_calls set outcome = $2, model = coalesce($3, model), request_id = $4, input_tokens = $5, output_tokens = $6,
         cache_read_tokens = $7, cache_write_tokens = $8, cost_microusd = $9, settled_at = now()
       where id = $1 and settled_at is null returning *
     )
     update jobs j set input_tokens = j.input_tokens + s.input_tokens, output_tokens = j.output_tokens + s.output_tokens,
       cache_read_tokens = j.cache_read_tokens + s.cache_read_tokens, cache_write_tokens = j.cache_write_tokens + s.cache_write_tokens,
       cost_microusd = j.cost_microusd + s.cost_microusd
     from settled s where j.id = s.job_id`,
    [
      id,
      outcome,
      settled.model ?? null,
      settled.requestId ?? null,
      settled.usage?.inputTokens ?? 0,
      settled.usage?.outputTokens ?? 0,
      settled.usage?.cacheReadTokens ?? 0,
      settled.usage?.cacheWriteTokens ?? 0,
      settled.costMicroUsd ?? 0,
    ],
  );
}
