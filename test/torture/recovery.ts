import type { Installation } from './installation.ts';
import { type FaultDone, kindOf } from './faults.ts';

/** Seconds from a fault until every job that was active then has moved on; over all of a kind. */
export interface Recovery {
  faults: number;
  p50: number;
  worst: number;
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
  const seconds = new Map<string, number[]>();
  for (const { at, what } of faults) {
    const longest = [...byJob.values()].map(events => untilNext(events, at));
    const kind = kindOf(what);
    seconds.set(kind, [...(seconds.get(kind) ?? []), Math.max(0, ...longest)]);
  }
  return Object.fromEntries([...seconds].map(([kind, all]) => [kind, summed(all)]));
}

/** Of one job; 0 if it was idle. */
function untilNext(events: EventRow[], at: number): number {
  const next = events.findIndex(event => event.at.getTime() > at);
  const before = events.slice(0, Math.max(next, 0)).findLast(isStatus);
  if (next < 0 || !before || before.type === 'finish') return 0;
  return (events[next]!.at.getTime() - at) / 1000;
}

function isStatus({ type }: EventRow): boolean {
  return type === 'status' || type === 'finish';
}

function summed(all: number[]): Recovery {
  const sorted = all.toSorted((a, b) => a - b);
  const round = (value: number | undefined) => Number((value ?? 0).toFixed(1));
  return {
    faults: all.length,
    p50: round(sorted[Math.floor((sorted.length - 1) / 2)]),
    worst: round(sorted.at(-1)),
  };
}
