import { isFeatureName, type ModelFeatures } from '../../shared/models/feature-names.ts';
import type { Queryable } from '../pool.ts';

/** What a probe found an endpoint to support with a model; undefined if it was never probed. */
export async function readEndpointFeatures(
  db: Queryable,
  endpoint: string,
  model: string,
): Promise<ModelFeatures | undefined> {
  const { rows } = await db.query<{ features: string[] }>(
    'select features from model_endpoints where endpoint = $1 and model = $2',
    [endpoint, model],
  );
  return rows[0] && new Set(rows[0].features.filter(isFeatureName));
}

/** Stores what a probe found, in place of what an earlier one did. */
export async function saveEndpointFeatures(
  db: Queryable,
  endpoint: string,
  model: string,
  features: ModelFeatures,
): Promise<void> {
  await db.query(
    `insert into model_endpoints (endpoint, model, features) values ($1, $2, $3)
     on conflict (endpoint, model)
     do update set features = excluded.features, probed_at = now()`,
    [endpoint, model, [...features]],
  );
}
