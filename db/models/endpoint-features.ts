import { isFeatureName, type ModelFeatures } from '../../shared/models/feature-names.ts';
import type { EditorTrial } from '../../shared/models/verdict.ts';
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

/** The trials of an endpoint's models; null for a model that answers and was not given the tools. */
export async function readTrials(
  db: Queryable,
  endpoint: string,
): Promise<Map<string, EditorTrial | null>> {
  const { rows } = await db.query<
    { model: string; edits: boolean | null } & Omit<EditorTrial, 'edits'>
  >(
    `select model, edits, edits_says as says, tokens_per_second as "tokensPerSecond"
       from model_endpoints where endpoint = $1`,
    [endpoint],
  );
  return new Map(
    rows.map(({ model, edits, ...rest }) => [model, edits === null ? null : { edits, ...rest }]),
  );
}

/** Stores what came of a trial; `features`: those that hold if nothing is stored of the model yet. */
export async function saveTrial(
  db: Queryable,
  endpoint: string,
  model: string,
  features: ModelFeatures,
  trial: EditorTrial | null,
): Promise<void> {
  const { edits = null, says = null, tokensPerSecond = null } = trial ?? {};
  await db.query(
    `insert into model_endpoints (endpoint, model, features, edits, edits_says, tokens_per_second)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (endpoint, model)
     do update set edits = excluded.edits, edits_says = excluded.edits_says,
                   tokens_per_second = excluded.tokens_per_second`,
    [endpoint, model, [...features], edits, says, tokensPerSecond],
  );
}
