import type { Config } from '../../shared/config.ts';
import { modelEndpoint } from '../../shared/models/model-features.ts';
import { verdict } from '../../shared/models/verdict.ts';
import type { Queryable } from '../pool.ts';
import { readTrials } from './endpoint-features.ts';

/** What can work with the configured models, by what `docent doctor` last found. */
export async function currentVerdict(config: Config, db: Queryable): Promise<string> {
  return verdict(config, await readTrials(db, modelEndpoint(config)));
}
