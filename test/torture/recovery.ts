import type { Installation } from './installation.ts';
import { type FaultDone, kindOf } from './faults.ts';

/** Seconds from a fault until jobs that were active then have moved on; over all of a kind. */
export interface Recovery {
  faults: number;
  /** Until the first of them has. */
  p50: number;
  worst: number;
  /** Until the last of them has, which may have waited for something else. */
  lastP50: number;
  lastWorst: number;
}

interface EventRow {
  job: string;
  type: string;
  status: string | null;
  at: Date;
}

/** By kind of fault. Read when all jobs are idle again. */
export async function recoveries(
  { pool, project }: Pick<Installation, 'pool' | 'project'>,
  faults: FaultDone[],
): Promise<Record<string, Recovery>> {
  const { rows } = await pool.query<EventRow>(
    `select e.job_id as job, e.type, e.data ->> 'status' as status, e.created_at as at
       from job_events e join jobs j on j.id = e.job_id
      where j.project_id = $1 order by e.job_id, e.seq`,
    [project.id],
  );
  const byJob = new Map<string, EventRow[]>();
  for (const row of rows) byJob.set(row.job, [...(byJob.get(row.job) ?? []), row]);
  const seconds = new Map<string, { first: number; last: number }[]>();
  for (const { at, what } of faults) {
    const active = [...byJob.values()].flatMap(events => untilNext(events, at) ?? []);
    if (active.length === 0) continue;
    const kind = kindOf(what);
    const both = { first: Math.min(...active), last: Math.max(...active) };
    seconds.set(kind, [...(seconds.get(kind) ?? []), both]);
  }
  return Object.fromEntries([...seconds].map(([kind, all]) => [kind, summed(all)]));
}

/** Of one job; undefined if it was idle. */
function untilNext(events: EventRow[], at: number): number | undefined {
  const next = events.findIndex(event => event.at.getTime() > at);
  const before = events.slice(0, Math.max(next, 0)).findLast(isStatus);
  if (next < 0 || !before || before.type === 'finish') return undefined;
  return (events[next]!.at.getTime() - at) / 1000;
}

function isStatus({ type }: EventRow): boolean {
  return type === 'status' || type === 'finish';
}

function summed(all: { first: number; last: number }[]): Recovery {
  const [p50, worst] = middleAndWorst(all.map(({ first }) => first));
  const [lastP50, lastWorst] = middleAndWorst(all.map(({ last }) => last));
  return { faults: all.length, p50, worst, lastP50, lastWorst };
}

function middleAndWorst(all: number[]): [number, number] {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (index: number) => Number((sorted[index] ?? 0).toFixed(1));
  return [at(Math.floor((sorted.length - 1) / 2)), at(sorted.length - 1)];
}
