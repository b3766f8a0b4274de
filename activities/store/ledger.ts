import type { Queryable } from '../../shared/db/pool.ts';
import { newId } from '../../shared/ids.ts';
import type { Usage } from '../../shared/models.ts';

/** Enters a model attempt before it is made: one that is never settled was cut. Returns its id. */
export async function enterModelCall(db: Queryable, call: {
  organizationId: string; projectId: string; apiKeyId: string | null; jobId: string; runId: string; activityId: string; attempt: number; model: string;
}): Promise<string> {
  const id = newId('call');
  await db.query(
    `insert into model_calls (id, organization_id, project_id, api_key_id, job_id, purpose, run_id, activity_id, attempt, model)
     values ($1, $2, $3, $4, $5, 'agent', $6, $7, $8, $9)`,
    [id, call.organizationId, call.projectId, call.apiKeyId, call.jobId, call.runId, call.activityId, call.attempt, call.model],
  );
  return id;
}

export async function settleModelCall(db: Queryable, id: string, outcome: string, settled: { model?: string; requestId?: string | null; usage?: Usage; costMicroUsd?: number }): Promise<void> {
  await db.query(
    `update model_calls set outcome = $2, model = coalesce($3, model), request_id = $4, input_tokens = $5, output_tokens = $6,
       cache_read_tokens = $7, cache_write_tokens = $8, cost_microusd = $9, settled_at = now() where id = $1`,
    [id, outcome, settled.model ?? null, settled.requestId ?? null, settled.usage?.inputTokens ?? 0, settled.usage?.outputTokens ?? 0,
      settled.usage?.cacheReadTokens ?? 0, settled.usage?.cacheWriteTokens ?? 0, settled.costMicroUsd ?? 0],
  );
}
