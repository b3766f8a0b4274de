// One of several processes that race for the same limits: limits.test.ts forks it. Says when it has
// its first use, and at the end how many it got.
import { openPool } from '../../../db/pool.ts';
import { type Limit, takeLimits } from '../../../db/assistant/limits.ts';

const [url, limits, attempts] = process.argv.slice(2) as [string, string, string];
const pool = openPool({ connectionString: url, max: 8, synchronousCommit: 'off' });
let left = Number(attempts);
let granted = 0;
await Promise.all(
  Array.from({ length: 32 }, async () => {
    while (left-- > 0) {
      if ((await takeLimits(pool, JSON.parse(limits) as Limit[])).violated) continue;
      granted += 1;
      if (granted === 1) process.send!('first');
    }
  }),
);
await pool.end();
process.send!(granted);
process.disconnect();
