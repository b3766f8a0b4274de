import pg from 'pg';
import { currentTracer } from '../shared/traces/tracing.ts';
import { tracedPool } from './traced-pool.ts';

export type Pool = pg.Pool;
/** A connection inside a transaction, or the pool itself: whatever can run a query. */
export type Queryable = Pick<pg.Pool | pg.PoolClient, 'query'>;
export type Transaction = pg.PoolClient;
/** One connection of the pool, outside a transaction. */
export type Connection = pg.PoolClient;

// bigint columns (counters, sizes, sequence numbers) stay far below 2^53 here.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions {
  connectionString: string;
  max?: number;
  /**
   * `off` only for the rate limiter: a crash of Postgres may then forget the last 0.6 s of counts.
   */
  synchronousCommit?: 'on' | 'off';
  onError?: (error: Error) => void;
}

/**
 * Opens the one pool of a process. An idle connection's error is reported, never thrown (it would
 * end the process).
 */
export function openPool(options: PoolOptions): Pool {
  const settings: pg.PoolConfig = {
    connectionString: options.connectionString,
    max: options.max ?? 20,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'docent',
    ...(options.synchronousCommit === 'off' && { options: '-c synchronous_commit=off' }),
  };
  const pool = currentTracer() ? tracedPool(settings) : new pg.Pool(settings);
  pool.on('error', options.onError ?? (() => undefined));
  return pool;
}

/** Runs `work` in one transaction: commits what it did, or rolls all of it back and rethrows. */
export async function transaction<T>(
  pool: Pool,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const tx = await pool.connect();
  // A connection that dies while it is checked out reports here; the query in flight rejects with
  // the same error.
  const ignore = () => undefined;
  tx.on('error', ignore);
  let failure: Error | undefined;
  try {
    await tx.query('begin');
    const result = await work(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    await tx.query('rollback').catch((rollbackError: Error) => {
      failure = rollbackError;
    });
    throw error;
  } finally {
    tx.off('error', ignore);
    tx.release(failure);
  }
}

/** Rejects if Postgres cannot be reached. */
export async function ping(db: Queryable): Promise<void> {
  await db.query('select 1');
}
