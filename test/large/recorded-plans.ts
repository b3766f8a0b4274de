import pg from 'pg';
import type { Pool } from '../../db/pool.ts';

export interface RecordedQuery {
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

export interface Plan {
  /** Rows that were read of a table from one end on, not by an index. */
  scanned: { table: string; rows: number }[];
  ms: number;
  /** Pages of 8 kB that were read, from memory or disk. */
  blocks: number;
}

/** Collects what this process asks of Postgres while `work` runs: all but inserts. */
export async function recordQueries(work: () => Promise<unknown>): Promise<RecordedQuery[]> {
  const recorded: RecordedQuery[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args;
    const config = typeof first === 'object' && first !== null ? (first as pg.QueryConfig) : null;
    const text = config ? config.text : String(first);
    const values = config?.values ?? (Array.isArray(second) ? second : []);
    if (/^\s*(select|with|delete|update)\b/i.test(text))
      recorded.push({ text, values: values as unknown[] });
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return recorded;
}

/** How Postgres carries a query out; what it writes is taken back. */
export async function planOf(pool: Pool, { text, values }: RecordedQuery): Promise<Plan> {
  const tx = await pool.connect();
  try {
    await tx.query('begin');
    const { rows } = await tx.query<{
      'QUERY PLAN': { Plan: PlanNode; 'Execution Time': number }[];
    }>(`explain (analyze, buffers, format json) ${text}`, values);
    const { Plan: root, 'Execution Time': ms } = rows[0]!['QUERY PLAN'][0]!;
    return {
      scanned: [...nodes(root)].flatMap(node => {
        const table = node['Node Type'] === 'Seq Scan' ? node['Relation Name'] : undefined;
        const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
        return table ? [{ table, rows: each * node['Actual Loops'] }] : [];
      }),
      ms: Math.round(ms * 10) / 10,
      blocks: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    };
  } finally {
    await tx.query('rollback');
    tx.release();
  }
}

function* nodes(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const below of node.Plans ?? []) yield* nodes(below);
}
