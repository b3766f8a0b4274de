import type { Pool } from './pool.ts';

/**
 * Runs `work` while this process has the lock of that name or number; undefined, without running
 * it, if another process has it. A process that dies releases it.
 */
export async function withAdvisoryLock<T>(
  pool: Pool,
  key: string | number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const lock = typeof key === 'number' ? '$1' : 'hashtextextended($1, 0)';
  const client = await pool.connect();
  let broken: Error | undefined;
  // Without a listener a connection that dies while the lock is held would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const { rows } = await client.query<{ held: boolean }>(
      `select pg_try_advisory_lock(${lock}) as held`,
      [key],
    );
    if (!rows[0]?.held) return undefined;
    try {
      return await work();
    } finally {
      // Closing the connection releases it, too.
      await client.query(`select pg_advisory_unlock(${lock})`, [key]).catch(onError);
    }
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
