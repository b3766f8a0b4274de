import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { takeLimits } from '../../db/assistant/limits.ts';
import {
  deleteOldModelCalls,
  enterModelCall,
  keyCostThisMonth,
  monthlyCost,
  settleModelCall,
} from '../../db/models/model-calls.ts';
import { readUsageDays } from '../../db/models/usage.ts';
import { openPool, type Pool } from '../../db/pool.ts';
import { readOverviewDays } from '../../db/projects/overview.ts';
import { SLOW } from '../support/slow.ts';
import { testDatabase, type TestDatabase } from '../support/services.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
/** Both clock changes of each zone, the days around them, and the ends of months, of every length. */
const MOMENTS = [
  ...[
    '2026-03-29T00:59:59Z',
    '2026-03-29T01:00:00Z',
    '2026-10-25T01:30:00Z',
    '2026-10-26T12:00:00Z',
  ],
  ...[
    '2026-03-08T07:00:00Z',
    '2026-03-09T03:30:00Z',
    '2026-11-01T06:00:00Z',
    '2026-11-02T04:30:00Z',
  ],
  ...[
    '2026-04-04T14:00:00Z',
    '2026-04-05T11:30:00Z',
    '2026-09-26T14:00:00Z',
    '2026-09-27T10:30:00Z',
  ],
  ...[
    '2026-02-28T23:59:59Z',
    '2028-02-29T20:00:00Z',
    '2026-03-31T22:30:00Z',
    '2026-04-01T00:30:00Z',
  ],
  ...['2026-06-30T18:45:00Z', '2026-12-31T23:30:00Z', '2027-01-01T00:00:00Z'],
];
const DAY_MS = 86_400_000;
const PROJECT = { id: 'prj_1', organizationId: 'org_1' };

describe.each(ZONES)('a database in %s', zone => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
    const name = new URL(database.url).pathname.slice(1);
    // Found before the system's: from here on the database's clock stands where it is set.
    const clock = `select current_setting('docent.clock')::timestamptz`;
    await database.pool.query(
      `create schema clock;
       create function clock.now() returns timestamptz language sql stable as $$ ${clock} $$;
       create function clock.clock_timestamp() returns timestamptz language sql stable as $$ ${clock} $$;
       alter database ${name} set timezone = '${zone}';
       alter database ${name} set search_path = clock, public, pg_catalog`,
    );
  });
  afterAll(() => database.close());

  it.each(MOMENTS)('counts days and months in UTC at %s', async moment => {
    expect.hasAssertions();
    const name = new URL(database.url).pathname.slice(1);
    await database.pool.query(`alter database ${name} set docent.clock = '${moment}'`);
    const pool = openPool({ connectionString: database.url, max: 2 });
    try {
      await countsInUtc(pool, new Date(moment));
    } finally {
      await pool.query('truncate model_calls, model_costs, limit_counts');
      await pool.end();
    }
  });
});

async function countsInUtc(pool: Pool, now: Date): Promise<void> {
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const days = Array.from({ length: 40 }, (_, i) =>
    new Date(today - (39 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  await call(pool, now, 1);
  await call(pool, new Date(month), 10);
  await call(pool, new Date(month - 1), 100);
  expect(await keyCostThisMonth(pool, 'key_1')).toBe(11);
  expect(await monthlyCost(pool, 'org_1')).toMatchObject({
    microUsd: 11,
    secondsLeft: (nextMonth - now.getTime()) / 1000,
  });
  const usage = await readUsageDays(pool, 'org_1', 40);
  expect(usage.map(({ day }) => day)).toEqual(days);
  const overview = await readOverviewDays(pool, PROJECT, 40);
  expect(overview.map(({ day }) => day)).toEqual(days);
  for (const list of [
    usage.map(row => row.agentCostMicroUsd),
    overview.map(row => row.costMicroUsd),
  ])
    expect(list.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)).toBe(111);
  const { states } = await takeLimits(
    pool,
    (['address', 'key', 'organization'] as const).map(scope => ({ scope, id: 'x', maximum: 5 })),
  );
  const hour = 3_600_000;
  expect(states.map(({ resetsAt, windowSeconds }) => [resetsAt.getTime(), windowSeconds])).toEqual([
    [today + DAY_MS, 86_400],
    [nextMonth, (nextMonth - month) / 1000],
    [(Math.floor(now.getTime() / hour) + 1) * hour, 3_600],
  ]);
  // A day of retention is 24 hours, also over a change of the clock.
  await pool.query('truncate model_calls');
  await call(pool, new Date(now.getTime() - 32 * DAY_MS - 1000), 1);
  await call(pool, new Date(now.getTime() - 32 * DAY_MS + 1000), 1);
  expect(await deleteOldModelCalls(pool, 32, 10)).toBe(1);
}

/** One of a job that costs so many millionths of a dollar. */
let calls = 0;
async function call(pool: Pool, at: Date, costMicroUsd: number): Promise<void> {
  const id = `call_${++calls}`;
  await enterModelCall(pool, {
    ...{ id, purpose: 'agent', organizationId: 'org_1', projectId: 'prj_1', apiKeyId: 'key_1' },
    ...{ model: 'm', jobId: 'job_1', runId: 'run_1', activityId: '1', attempt: 1 },
  });
  await pool.query('update model_calls set started_at = $2 where id = $1', [id, at]);
  await settleModelCall(pool, id, {
    ...{ outcome: 'ok', model: 'm', requestId: null, costMicroUsd, tellsCaching: true },
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  });
}

/** What computes periods or shows them, and its tests. */
const SUITE = [
  ...['test/large/periods.test', 'test/jobs/limits.test', 'test/api/assistant/limits.test'],
  ...[
    'test/api/old-rows.test',
    'test/dashboard/api/questions-usage',
    'test/dashboard/api/overview',
  ],
];
(SLOW && process.env['TZ'] === undefined ? describe : describe.skip)('the whole suite', () => {
  it.each(ZONES)(
    'with the process in %s',
    zone => {
      const jest = join(import.meta.dirname, '../../node_modules/jest/bin/jest.js');
      const run = () =>
        execFileSync(
          process.execPath,
          ['--experimental-vm-modules', jest, '--maxWorkers=1', '--silent', ...SUITE],
          { env: { ...process.env, TZ: zone, SLOW: '' }, stdio: 'pipe' },
        );
      expect(run).not.toThrow();
    },
    1_200_000,
  );
});
