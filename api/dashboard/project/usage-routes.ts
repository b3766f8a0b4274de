import type { Usage } from '../contract/usage.ts';
import { monthlyCost } from '../../../db/models/model-calls.ts';
import { readLimitUse } from '../../../db/assistant/limits.ts';
import {
  listAssistantKeys,
  readKeyDays,
  readUsageDays,
  readUsageTotals,
  windowEnds,
} from '../../../db/models/usage.ts';
import { knownCost } from '../../../shared/models/cost.ts';
import { agentModel, assistantModel } from '../../../shared/models/model-ids.ts';
import { unpricedModels } from '../../../shared/models/model-prices.ts';
import { addressScope } from '../../plugins/client-address.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

const usd = (microUsd: number | null) => (microUsd === null ? null : microUsd / 1_000_000);

/** What an organization has used, and what is left. */
export function usageRoutes(deps: DashboardDeps) {
  return {
    'GET /organizations/:organization/usage': async ({ membership, query, ip }) => {
      const { id } = membership.organization;
      const { days = 30 } = query;
      const [limits, byDay, byKey, totals] = await Promise.all([
        readLimits(deps, id, addressScope(ip)),
        readUsageDays(deps.pool, id, days),
        readKeyDays(deps.pool, id, days),
        readUsageTotals(deps.pool, id, days),
      ]);
      return {
        assistantModel: assistantModel(deps.config),
        limits,
        days: byDay.map(({ agentCostMicroUsd, assistantCostMicroUsd, ...rest }) => ({
          ...rest,
          agentCostUsd: usd(agentCostMicroUsd),
          assistantCostUsd: usd(assistantCostMicroUsd),
        })),
        totals: totals.map(({ costMicroUsd, ...rest }) => ({
          ...rest,
          ...knownCost({ costMicroUsd, ...rest }),
        })),
        byKey: byKey.map(({ costMicroUsd, ...rest }) => ({
          ...rest,
          ...knownCost({ costMicroUsd, ...rest }),
        })),
      };
    },
  } satisfies Partial<Handlers>;
}

async function readLimits(
  { pool, config }: DashboardDeps,
  organizationId: string,
  address: string,
): Promise<Usage['limits']> {
  const [ends, keys, cost] = await Promise.all([
    windowEnds(pool),
    listAssistantKeys(pool, organizationId),
    monthlyCost(pool, organizationId),
  ]);
  const [ofOrganization, ofAddress, ofKeys] = await Promise.all([
    readLimitUse(pool, 'organization', [organizationId]),
    readLimitUse(pool, 'address', [address]),
    readLimitUse(
      pool,
      'key',
      keys.map(key => key.id),
    ),
  ]);
  const month = ends.month.toISOString();
  return {
    organization: {
      used: ofOrganization.get(organizationId) ?? 0,
      limit: config.ASSISTANT_ORGANIZATION_HOURLY_LIMIT,
      resetsAt: ends.hour.toISOString(),
    },
    address: {
      address,
      used: ofAddress.get(address) ?? 0,
      limit: config.ASSISTANT_ADDRESS_DAILY_LIMIT,
      resetsAt: ends.day.toISOString(),
    },
    keys: keys.map(({ monthlyLimit, ...key }) => ({
      ...key,
      used: ofKeys.get(key.id) ?? 0,
      limit: monthlyLimit ?? config.ASSISTANT_KEY_MONTHLY_LIMIT,
      resetsAt: month,
    })),
    agentCost: {
      usedUsd: cost.microUsd === 0 && cost.callsWithoutPrice > 0 ? null : usd(cost.microUsd),
      callsWithoutPrice: cost.callsWithoutPrice,
      modelsWithoutPrice: unpricedModels(config, [
        agentModel(config, 'sonnet'),
        agentModel(config, 'opus'),
      ]),
      limitUsd: config.JOB_MONTHLY_COST_LIMIT_USD ?? null,
      resetsAt: month,
    },
  };
}
