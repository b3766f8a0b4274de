import type { Queryable } from '../pool.ts';

/** What a limit counts by. Listed in the order in which they are taken: the hottest row last. */
export const LIMIT_SCOPES = ['address', 'key', 'organization'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

/** The fixed UTC window of each scope. */
const WINDOWS: Record<LimitScope, 'day' | 'month' | 'hour'> = {
  address: 'day',
  key: 'month',
  organization: 'hour',
};

export interface Limit {
  scope: LimitScope;
  id: string;
  /** Uses a window. */
  maximum: number;
}

export interface LimitState {
  scope: LimitScope;
  maximum: number;
  /** Uses in this window, this one included when it was granted. */
  used: number;
  resetsAt: Date;
  /** Length of this window, in seconds (months differ). */
  windowSeconds: number;
  /** Milliseconds until `resetsAt`, by the database's clock. */
  resetsInMs: number;
}

export interface Taken {
  states: LimitState[];
  /** The exceeded limit; undefined when the use was granted. */
  violated: LimitState | undefined;
}

/**
 * Counts one use against all of `limits`, or against none if one of them is exceeded. Exact
 * across processes. Give it a pool with `synchronousCommit: 'off'`: one organization's row is hot,
 * and waiting for each commit's flush limits it to some 700 uses per second.
 */
export async function takeLimits(db: Queryable, limits: readonly Limit[]): Promise<Taken> {
  const ordered = [...limits].sort(
    (a, b) => LIMIT_SCOPES.indexOf(a.scope) - LIMIT_SCOPES.indexOf(b.scope),
  );
  const { rows } = await db.query<{
    scope: LimitScope;
    used: number;
    resets_at: Date;
    window_seconds: number;
    violated: boolean;
    resets_in_ms: number;
  }>({
    name: 'take-limits',
    text: `select *,
                  (1000 * extract(epoch from resets_at - clock_timestamp()))::float8 as resets_in_ms
             from take_limits($1, $2, $3, $4)`,
    values: [
      ordered.map(limit => limit.scope),
      ordered.map(limit => limit.id),
      ordered.map(limit => WINDOWS[limit.scope]),
      ordered.map(limit => limit.maximum),
    ],
  });
  const states = rows.map((row, i) => ({
    scope: row.scope,
    maximum: ordered[i]?.maximum ?? 0,
    used: row.used,
    resetsAt: row.resets_at,
    windowSeconds: row.window_seconds,
    resetsInMs: row.resets_in_ms,
  }));
  return { states, violated: states[rows.findIndex(row => row.violated)] };
}

/** Uses so far in the present window of each scope and id, for the dashboard. */
export async function readLimitUse(
  db: Queryable,
  scope: LimitScope,
  ids: string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; n: number }>(
    `select id, n from limit_counts
      where scope = $1 and id = any($2)
        and window_start = date_trunc($3, clock_timestamp(), 'UTC')`,
    [scope, ids, WINDOWS[scope]],
  );
  return new Map(rows.map(row => [row.id, row.n]));
}

/** Deletes the counts of windows that ended: none is longer than a month. */
export async function deleteOldLimitCounts(db: Queryable): Promise<void> {
  await db.query(
    `delete from limit_counts
      where window_start < date_trunc(
              case scope when 'address' then 'day' when 'key' then 'month' else 'hour' end,
              clock_timestamp(), 'UTC')`,
  );
}
