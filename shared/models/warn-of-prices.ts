import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { unpricedModels } from './model-prices.ts';

type CostLimit = Extract<keyof Config, `${string}COST_LIMIT_USD`>;

/** The cost limits of jobs, and of answers. */
export const JOB_LIMITS: readonly CostLimit[] = [
  'JOB_MONTHLY_COST_LIMIT_USD',
  'JOB_KEY_MONTHLY_COST_LIMIT_USD',
];
export const ASSISTANT_LIMITS: readonly CostLimit[] = ['ASSISTANT_KEY_MONTHLY_COST_LIMIT_USD'];

/** Says at start which models have no price, and which of the limits that are set cannot count. */
export function warnOfPrices(
  config: Config,
  costLimits: readonly CostLimit[],
  models: readonly string[],
  logger: Pick<Logger, 'warn'>,
): void {
  const unpriced = unpricedModels(config, models);
  if (unpriced.length === 0) return;
  const limits = costLimits.filter(name => config[name] !== undefined);
  const effect =
    limits.length === 0
      ? 'their cost is unknown.'
      : `their cost is unknown, and ${limits.join(' and ')} cannot count it.`;
  logger.warn(
    { models: unpriced, limits },
    `These models have no price: ${effect} Set MODEL_PRICES.`,
  );
}
