import type { Usage } from '../../models/model-prices.ts';
import type { Queryable } from '../pool.ts';

/**
 * Opens the ledger's row of one call of the assistant's model: it stays `started` where the process
 * dies.
 */
export async function startAssistantCall(
  db: Queryable,
  call: { id: string; organizationId: string; projectId: string; apiKeyId: string; model: string },
): Promise<void> {
  await db.query(
    `insert into model_calls (id, organization_id, project_id, api_key_id, purpose, model) values ($1, $2, $3, $4, 'assistant', $5)`,
    [call.id, call.organizationId, call.projectId, call.apiKeyId, call.model],
  );
}

/** Closes the row with what was used; `outcome` is `ok`, `cut`, or the error's type. */
export async function settleAssistantCall(
  db: Queryable,
  id: string,
  result: { model: string; outcome: string; usage: Usage; costMicroUsd: number },
): Promise<void> {
  await db.query(
    `update model_calls
        set model = $2, outcome = $3, input_tokens = $4, output_tokens = $5, cache_read_tokens = $6, cache_write_tokens = $7,
            cost_microusd = $8, settled_at = now()
      where id = $1`,
    [
      id,
      result.model,
      result.outcome,
      result.usage.inputTokens,
      result.usage.outputTokens,
      result.usage.cacheReadTokens,
      result.usage.cacheWriteTokens,
      result.costMicroUsd,
    ],
  );
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
