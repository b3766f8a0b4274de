import { fork } from 'node:child_process';
import {
  deleteOldLimitCounts,
  type Limit,
  readLimitUse,
  takeLimits,
} from '../../../db/assistant/limits.ts';
import { type TestDatabase, testDatabase, testProgram } from '../../support/services.ts';
import { SLOW } from '../../support/slow.ts';

/** In the slow lane 10,000 of 20,000. */
const USES = SLOW ? 10_000 : 2_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const three = (
  name: string,
  maximum: { address: number; key: number; organization: number },
): Limit[] => [
  { scope: 'organization', id: `org_${name}`, maximum: maximum.organization },
  { scope: 'address', id: `address_${name}`, maximum: maximum.address },
  { scope: 'key', id: `key_${name}`, maximum: maximum.key },
];

async function counts(name: string) {
  const { rows } = await db.pool.query<{ scope: string; n: number }>(
    'select scope, n from limit_counts where id like $1',
    [`%\\_${name}`],
  );
  return Object.fromEntries(rows.map(row => [row.scope, row.n]));
}

describe('the limiter', () => {
  it('counts all three at once and says when each window ends', async () => {
    const before = Date.now();
    const { states, violated } = await takeLimits(
      db.pool,
      three('a', { address: 5, key: 6, organization: 7 }),
    );
    expect(violated).toBeUndefined();
    expect(states.map(state => [state.scope, state.used, state.maximum])).toEqual([
      ['address', 1, 5],
      ['key', 1, 6],
      ['organization', 1, 7],
    ]);

    const now = new Date();
    const [day, month, hour] = states.map(state => state.resetsAt.getTime());
    expect(day).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
    expect(month).toBe(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    expect(hour).toBe(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours() + 1),
    );
    expect(states[0]?.windowSeconds).toBe(86_400);
    expect(states[0]?.resetsInMs).toBeGreaterThan(0);
    expect(states[0]?.resetsInMs).toBeLessThanOrEqual((day ?? 0) - before);
  });

  it.each(['address', 'key', 'organization'] as const)(
    'refuses when the %s is used up, and then burns nothing',
    async scope => {
      const limits = three(scope, { address: 9, key: 9, organization: 9, [scope]: 2 });
      for (let i = 0; i < 2; i++)
        expect((await takeLimits(db.pool, limits)).violated).toBeUndefined();
      for (let i = 0; i < 3; i++)
        expect((await takeLimits(db.pool, limits)).violated?.scope).toBe(scope);
      expect(await counts(scope)).toEqual({ address: 2, key: 2, organization: 2 });
      expect(await readLimitUse(db.pool, 'key', [`key_${scope}`])).toEqual(
        new Map([[`key_${scope}`, 2]]),
      );
    },
  );

  it('refuses everything under a limit of 0', async () => {
    expect(
      (await takeLimits(db.pool, three('none', { address: 9, key: 0, organization: 9 }))).violated
        ?.scope,
    ).toBe('key');
    expect(await counts('none')).toEqual({});
  });

  it('begins anew in the next window', async () => {
    const limits = three('w', { address: 1, key: 9, organization: 9 });
    await takeLimits(db.pool, limits);
    expect((await takeLimits(db.pool, limits)).violated?.scope).toBe('address');
    await db.pool.query(
      `update limit_counts set window_start = window_start - interval '1 day' where id = 'address_w'`,
    );
    expect((await takeLimits(db.pool, limits)).violated).toBeUndefined();

    await deleteOldLimitCounts(db.pool);
    expect(await counts('w')).toEqual({ address: 1, key: 2, organization: 2 });
  });

  // Each scope in turn is the one that runs out; the others must count exactly what passed.
  it.each(['address', 'key', 'organization'] as const)(
    'grants exactly half of the uses that four processes ask for: %s, one process killed meanwhile',
    async scope => {
      const limits = three(`x${scope}`, {
        address: 50_000,
        key: 50_000,
        organization: 50_000,
        [scope]: USES,
      });
      const killed = taker(limits, USES);
      // Twice the limit without the one that dies.
      const others = [1, 2, 3].map(() => taker(limits, Math.ceil((2 * USES) / 3)));
      await killed.first;
      killed.child.kill('SIGKILL');
      const granted = sum(await Promise.all(others.map(one => one.granted)));

      // What the dead process was granted nobody can say; whatever it left, the others have used
      // up.
      expect(killed.child.signalCode).toBe('SIGKILL');
      expect(await counts(`x${scope}`)).toEqual({
        address: USES,
        key: USES,
        organization: USES,
      });
      expect(granted).toBeLessThan(USES);
      expect((await takeLimits(db.pool, limits)).violated?.scope).toBe(scope);
    },
    120_000,
  );

  it('grants exactly the limit to four living processes', async () => {
    const limits = three('exact', { address: 50_000, key: 50_000, organization: 1_000 });
    const granted = await Promise.all(
      [500, 500, 500, 500].map(attempts => taker(limits, attempts).granted),
    );
    expect(sum(granted)).toBe(1_000);
    expect(await counts('exact')).toEqual({ address: 1_000, key: 1_000, organization: 1_000 });
  }, 120_000);
});

const sum = (numbers: number[]) => numbers.reduce((all, n) => all + n, 0);

/**
 * A process that tries `attempts` uses, 32 at a time: when it has been granted one, and how many in
 * the end.
 */
function taker(limits: Limit[], attempts: number) {
  const child = fork(testProgram('take-limits'), [
    db.url,
    JSON.stringify(limits),
    String(attempts),
  ]);
  const first = new Promise<void>(resolve =>
    child.on('message', said => {
      if (said === 'first') resolve();
    }),
  );
  const granted = new Promise<number>(resolve =>
    child.on('message', said => {
      if (typeof said === 'number') resolve(said);
    }),
  );
  return { child, first, granted };
}
