import pg from 'pg';
import { currentTracer, type Span, traced } from '../shared/traces/tracing.ts';

type Query = (...args: unknown[]) => unknown;

/** A connection whose queries are spans. */
class TracedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    // The pool's own calls have a callback: `tracedPool` has a span for them.
    this.query = tracing(this.query.bind(this)) as typeof this.query;
  }
}

/** A pool whose queries are spans of the request or activity that makes them. */
export function tracedPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, Client: TracedClient });
  pool.query = tracing(pool.query.bind(pool)) as typeof pool.query;
  return pool;
}

function tracing(query: Query): Query {
  return (...args) => {
    const isAwaited = !args.some(arg => typeof arg === 'function');
    // Nothing's own: a poll, the sweeper.
    if (!isAwaited || currentTracer()?.currentTraceId() === undefined) return query(...args);
    return traced(spanOf(args[0]), async () => query(...args));
  };
}

/** The statement's kind and its first table; never its text, and never its values. */
function spanOf(query: unknown): Span {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown }).text);
  const kind = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'query';
  const table = /\b(?:from|into|update)\s+([a-z_]+)/i.exec(text)?.[1];
  const name = table === undefined ? kind : `${kind} ${table}`;
  return {
    name,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
  };
}
