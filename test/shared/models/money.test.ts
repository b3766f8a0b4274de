import type { Usage } from '../../../api/dashboard/contract/usage.ts';
import { readUsageDays } from '../../../db/models/usage.ts';
import type { Conversation } from '../../../shared/jobs/conversation.ts';
import { readConfig } from '../../../shared/config.ts';
import { JOBS, warnOfPrices } from '../../../shared/models/warn-of-prices.ts';
import { startDashboard } from '../../dashboard/api/harness.ts';
import { type JobStack, startJobStack } from '../../support/job-stack.ts';

const UNPRICED = 'house-model';
const UNREPORTED = { cacheRead: null } as never;

describe('a model without a price', () => {
  let stack: JobStack;
  beforeAll(async () => {
    stack = await startJobStack({
      files: { 'docs/guide.md': '# Guide\n' },
      env: { MODEL_SONNET: UNPRICED },
      script: [
        { text: 'Which page?' },
        { text: 'Which one?' },
        { text: 'This?', usage: UNREPORTED },
      ],
    });
  });
  afterAll(() => stack.close());
  const usageOf = async (id: string) =>
    (
      (await stack.call('GET', `/v2/agent/${stack.project.id}/job/${id}/messages`))
        .body as Conversation
    ).usage;
  let id: string;

  it('costs null, not 0, and the ledger knows as little', async () => {
    ({ id } = await stack.rest((await stack.create('Ask')).id));
    expect(await usageOf(id)).toMatchObject({
      costUsd: null,
      callsWithoutPrice: 1,
      callsOfUnknownCost: 1,
      cachedShare: expect.any(Number),
    });
    const { rows } = await stack.pool.query('select model, cost_microusd as cost from model_calls');
    expect(rows).toEqual([{ model: UNPRICED, cost: null }]);
    const days = await readUsageDays(stack.pool, stack.project.organizationId, 1);
    expect(days).toMatchObject([{ agentCostMicroUsd: null, callsWithoutPrice: 1 }]);
  });

  it('leaves its calls out of a sum, which says so', async () => {
    Object.assign(stack.config, {
      MODEL_PRICES: `{"${UNPRICED}": {"input": 1000, "output": 1000}}`,
    });
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/message`, { prompt: 'More' });
    await stack.rest(id);
    const usage = await usageOf(id);
    expect(usage).toMatchObject({ callsWithoutPrice: 1, callsOfUnknownCost: 1 });
    expect(usage.costUsd).toBeGreaterThan(0);
  });

  it('has an unknown cached share once its endpoint does not report one', async () => {
    await stack.call('POST', `/v2/agent/${stack.project.id}/job/${id}/message`, { prompt: 'More' });
    await stack.rest(id);
    expect(await usageOf(id)).toMatchObject({ cachedShare: null, callsWithoutPrice: 1 });
  });
});

it('is named beside the limit that cannot count it, at start and in the dashboard', async () => {
  const env = {
    MODEL_SONNET: UNPRICED,
    JOB_MONTHLY_COST_LIMIT_USD: '20',
    MODEL_PROVIDER: 'anthropic',
  };
  const warnings: unknown[] = [];
  warnOfPrices(readConfig(env), JOBS, {
    warn: (...said: unknown[]) => void warnings.push(said),
  });
  expect(JSON.stringify(warnings)).toMatch(/house-model.*JOB_MONTHLY_COST_LIMIT_USD cannot count/);
  const dashboard = await startDashboard(env);
  try {
    const member = await dashboard.signIn('member@acme.test', 'member');
    const { limits } = await member.json<Usage>('GET', '/organizations/acme/usage');
    expect(limits.agentCost).toMatchObject({ limitUsd: 20, modelsWithoutPrice: [UNPRICED] });
  } finally {
    await dashboard.close();
  }
});
