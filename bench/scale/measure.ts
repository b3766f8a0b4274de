import { percentile } from '../jobs/activity-times.ts';
import { cpuOf, memoryOf } from './cpu.ts';
import type { Installation } from './installation.ts';

/** What the processes of a cluster are counted by: the beginnings of their names. */
const PARTS = ['temporal', 'postgres', 'api', 'worker'] as const;
export type ByPart = Record<(typeof PARTS)[number], number>;

export interface Row {
  what: string;
  atOnce: number;
  perMinute: number;
  p50s: number;
  p95s: number;
  /** CPU of one, in milliseconds. */
  cpuMs: ByPart;
}

/** CPU time that the processes have used, in milliseconds. */
export function cpuByPart({ cluster: { pids } }: Installation): ByPart {
  return byPart(part => sum(pids, part, cpuOf));
}

/** In MB. */
export function memoryByPart({ cluster: { pids } }: Installation): ByPart {
  return byPart(part => sum(pids, part, memoryOf));
}

/** What the parts used since `before`, for each of `count`. */
export function cpuSince(installation: Installation, before: ByPart, count: number): ByPart {
  const now = cpuByPart(installation);
  return byPart(part => Math.round((now[part] - before[part]) / count));
}

/** For the columns of a table. */
export function named({ temporal, postgres, api, worker }: ByPart): Record<string, number> {
  return { Temporal: temporal, Postgres: postgres, API: api, Worker: worker };
}

export function total(of: ByPart): number {
  return PARTS.reduce((all, part) => all + of[part], 0);
}

function byPart(of: (part: keyof ByPart) => number): ByPart {
  return Object.fromEntries(PARTS.map(part => [part, of(part)])) as ByPart;
}

function sum(pids: Record<string, number>, part: string, of: (pid: number) => number): number {
  return Object.entries(pids).reduce(
    (all, [name, pid]) => all + (name.startsWith(part) ? of(pid) : 0),
    0,
  );
}

/** So many of something, so many at once: how long each took, and what it cost. */
export async function measured(
  installation: Installation,
  what: string,
  atOnce: number,
  count: number,
  one: () => Promise<void>,
): Promise<Row> {
  const before = cpuByPart(installation);
  const started = performance.now();
  const times = await inParallel(atOnce, count, one);
  const seconds = (performance.now() - started) / 1000;
  const secondsOf = (share: number) => tenths(percentile(times, share) / 1000);
  return {
    ...{ what, atOnce, perMinute: tenths((count / seconds) * 60) },
    ...{ p50s: secondsOf(0.5), p95s: secondsOf(0.95) },
    cpuMs: cpuSince(installation, before, count),
  };
}

/** How long each took, in milliseconds. */
export async function inParallel(
  width: number,
  count: number,
  one: (i: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (begun < count) {
        const started = performance.now();
        await one(begun++);
        times.push(performance.now() - started);
      }
    }),
  );
  return times;
}

/** Rows as columns, each under its own value of `head`. */
export function turned(
  rows: Record<string, number>[],
  head: string,
): Record<string, string | number>[] {
  const names = Object.keys(rows[0] ?? {}).filter(name => name !== head);
  return names.map(name => ({
    '': name,
    ...Object.fromEntries(
      rows.map(row => [
        `${row[head]?.toLocaleString('en')} ${head.toLowerCase()}`,
        row[name] ?? NaN,
      ]),
    ),
  }));
}

export function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
