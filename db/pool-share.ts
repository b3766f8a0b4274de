import { databaseWaiting } from '../shared/metrics/metrics.ts';
import type { Pool, Queryable } from './pool.ts';

/**
 * A part of a pool with a line before it: `atOnce` queries run, the others wait in order for as
 * long as it takes. The pool's own wait ends after 5 s in an error that stands for an outage, which
 * a crowd is not; nor does a crowd here leave the pool's other users without a connection.
 */
export function inTurn(pool: Pool, atOnce: number): Queryable {
  const line: { go: () => void; fail: (error: unknown) => void }[] = [];
  let running = 0;

  const ask = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
  const query = async (...asked: unknown[]): Promise<unknown> => {
    if (running < atOnce) running += 1;
    else {
      databaseWaiting.inc();
      const turn = new Promise<void>((go, fail) => line.push({ go, fail }));
      await turn.finally(() => databaseWaiting.dec());
    }
    try {
      return await ask(...asked);
    } catch (error) {
      // It is not the crowd that takes so long: Postgres cannot be reached, for the
      // others in the line either.
      if (error instanceof Error && error.message.startsWith('timeout exceeded'))
        for (const { fail } of line.splice(0)) fail(error);
      throw error;
    } finally {
      const next = line.shift();
      if (next)
        next.go(); // takes over the place
      else running -= 1;
    }
  };
  return { query: query as Queryable['query'] };
}

/** A share of a pool's connections, at least one. */
export function share(pool: Pool, part: number): number {
  return Math.max(1, Math.floor(pool.options.max * part));
}
