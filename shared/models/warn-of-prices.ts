import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { agentModel, assistantModel } from './model-ids.ts';
import { unpricedModels } from './model-prices.ts';

type CostLimit = Extract<keyof Config, `${string}COST_LIMIT_USD`>;

interface Priced {
  limits: readonly CostLimit[];
  models: (config: Config) => string[];
}

export const JOBS: Priced = {
  limits: ['JOB_MONTHLY_COST_LIMIT_USD', 'JOB_KEY_MONTHLY_COST_LIMIT_USD'],
  models: config => [agentModel(config, 'sonnet'), agentModel(config, 'opus')],
};
export const ANSWERS: Priced = {
  limits: ['ASSISTANT_KEY_MONTHLY_COST_LIMIT_USD'],
  models: config => [assistantModel(config)],
};

/** Says at start which models have no price, and which of the limits that are set cannot count. */
export function warnOfPrices(config: Config, priced: Priced, logger: Pick<Logger, 'warn'>): void {
  const unpriced = unpricedModels(config, priced.models(config));
  if (unpriced.length === 0) return;
  const limits = priced.limits.filter(name => config[name] !== undefined);
  const effect =
    limits.length === 0
      ? 'their cost is unknown.'
      : `their cost is unknown, and ${limits.join(' and ')} cannot count it.`;
  logger.warn(
    { models: unpriced, limits },
    `These models have no price: ${effect} Set MODEL_PRICES.`,
  );
}
