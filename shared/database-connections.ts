/**
 * How the connections of one process are shared out. Their sum is DATABASE_POOL_SIZE, whatever the
 * process does: an operator adds up processes, not pools.
 */
export interface ApiConnections {
  /** Requests, the sweeper, and the one that listens for news of jobs. */
  main: number;
  /** The assistant's writes that nobody waits for to be flushed. */
  assistant: number;
}

/** Both parts need one connection; the main one a second, as one always listens. */
export const LEAST_CONNECTIONS = 3;

export function apiConnections(poolSize: number): ApiConnections {
  const assistant = Math.max(1, Math.floor(poolSize / 3));
  return { main: Math.max(2, poolSize - assistant), assistant };
}
