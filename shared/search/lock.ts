import type { Pool } from '../db/pool.ts';

/**
 * Runs `work` while no other process indexes the project; undefined, without running it, where one
 * does. A process that dies lets go.
 */
export async function withIndexLock<T>(
  pool: Pool,
  projectId: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const client = await pool.connect();
  const lock = `index of ${projectId}`;
  let broken: Error | undefined;
  // Without a listener a connection that dies while the lock is held would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
      [lock],
    );
    if (!rows[0]?.held) return undefined;
    try {
      return await work();
    } finally {
      // Closing the connection lets go too.
      await client
        .query('select pg_advisory_unlock(hashtextextended($1, 0))', [lock])
        .catch(onError);
    }
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
