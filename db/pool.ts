import pg from 'pg';
import { Gauge } from 'prom-client';
import { registry } from '../shared/metrics/metrics.ts';
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
  /**
   * The longest that a query may stay without an answer, ms: one on a connection that something
   * between here and Postgres has swallowed never gets one. Its connection is closed.
   */
  answerWithinMs?: number;
  onError?: (error: Error) => void;
}

/** The message of the driver's error once that time is over. */
const NO_ANSWER = 'Query read timeout';
/** A connection is replaced from time to time: after a failover some lead to the old server. */
const MAX_LIFETIME_SECONDS = 30 * 60;
/** A transaction that its process forgot must not hold its locks. */
const IDLE_IN_TRANSACTION = '60s';

const pools = new Set<Pool>();
registry.registerMetric(
  new Gauge({
    name: 'docent_database_connections',
    help: 'Connections of the pools of this process: used, idle, or waited for.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const counts = { used: 0, idle: 0, waited_for: 0 };
      for (const pool of pools) {
        if (pool.ended) pools.delete(pool);
        counts.used += pool.totalCount - pool.idleCount;
        counts.idle += pool.idleCount;
        counts.waited_for += pool.waitingCount;
      }
      for (const [state, count] of Object.entries(counts)) this.set({ state }, count);
    },
  }),
);

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
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    maxLifetimeSeconds: MAX_LIFETIME_SECONDS,
    application_name: 'docent',
    // Days and months are those of UTC, whatever the server's time zone is.
    options: [
      '-c timezone=UTC',
      `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION}`,
      ...(options.synchronousCommit === 'off' ? ['-c synchronous_commit=off'] : []),
      ...(options.answerWithinMs === undefined ? [] : limits(options.answerWithinMs)),
    ].join(' '),
    ...(options.answerWithinMs !== undefined && { query_timeout: options.answerWithinMs }),
  };
  const pool = currentTracer() ? tracedPool(settings) : new pg.Pool(settings);
  pools.add(pool);
  pool.on('error', options.onError ?? (() => undefined));
  return pool;
}

/** The server gives up first, so that the connection stays in use. */
function limits(answerWithinMs: number): string[] {
  const ms = Math.floor(answerWithinMs * 0.9);
  return [`-c statement_timeout=${ms}`, `-c lock_timeout=${ms}`];
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
    // The connection still waits for that answer.
    if (error instanceof Error && error.message === NO_ANSWER) failure = error;
    else
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
