import type { Config } from '../../shared/config.ts';
import { readEndpointFeatures } from './endpoint-features.ts';
import type { Queryable } from '../pool.ts';
import { type ModelFeatures, NO_FEATURES } from '../../shared/models/feature-names.ts';
import { knownFeatures, modelEndpoint } from '../../shared/models/model-features.ts';

/** How long a stored probe is believed before it is read again. */
const READ_EVERY_MS = 30_000;

/** What the configured endpoint supports with a model. */
export type FeaturesOf = (model: string) => Promise<ModelFeatures>;

/**
 * Looks up features: those that are known without asking, else those that `docent doctor` found and
 * stored, else none. Without any of them everything works, in plain text.
 */
export function openFeatures(config: Config, db: Queryable): FeaturesOf {
  const known = knownFeatures(config);
  if (known) return async () => known;
  const endpoint = modelEndpoint(config);
  const read = new Map<string, { at: number; features: Promise<ModelFeatures> }>();
  return model => {
    const last = read.get(model);
    if (last && Date.now() - last.at < READ_EVERY_MS) return last.features;
    const features = readEndpointFeatures(db, endpoint, model).then(
      stored => stored ?? NO_FEATURES,
    );
    read.set(model, { at: Date.now(), features });
    features.catch(() => read.delete(model));
    return features;
  };
}
