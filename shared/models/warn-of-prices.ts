import type { Config } from '../config.ts';
import type { Logger } from '../logger.ts';
import { unpricedModels } from './model-prices.ts';

/** Says at start which models have no price, since no cost limit holds those. */
export function warnOfPrices(
  config: Config,
  models: readonly string[],
  logger: Pick<Logger, 'warn'>,
): void {
  const unpriced = unpricedModels(config, models);
  if (unpriced.length === 0) return;
  logger.warn(
    { models: unpriced },
    'These models have no price: their cost is not counted, and cost limits do not hold for them. ' +
      'Set MODEL_PRICES.',
  );
}
