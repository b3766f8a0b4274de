import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Installation } from './installation.ts';

/** The longest time for which an active job showed nothing. */
export interface Standstill {
  seconds: number;
  job: string;
  /** What it waited for, as Temporal has it. */
  waitedFor: string;
}

const LOOK_EVERY_MS = 5_000;
const WORTH_SAYING_SECONDS = 60;

/** Watches for active jobs that do not move, past the proxies; says which, and what for. */
export function watchStandstill(
  {
    pool,
    temporalAddress,
    dataConverter,
  }: Pick<Installation, 'pool' | 'temporalAddress' | 'dataConverter'>,
  say: (sentence: string) => void,
): { stop(): Promise<Standstill> } {
  const stopped = new AbortController();
  const connection = Connection.lazy({ address: temporalAddress });
  const temporal = new Client({ connection, dataConverter });
  const longest: Standstill = { seconds: 0, job: '', waitedFor: '' };
  const told = new Set<string>();
  const look = async () => {
    const { rows } = await pool.query<{ id: string; at: string; seconds: number }>(
      `select id, updated_at::text as at,
              extract(epoch from clock_timestamp() - updated_at)::int as seconds
         from jobs where state = 'active' order by updated_at limit 1`,
    );
    const [row] = rows;
    if (!row || row.seconds <= longest.seconds) return;
    const waitedFor = await pending(temporal, row.id);
    Object.assign(longest, { seconds: row.seconds, job: row.id, waitedFor });
    const key = `${row.id} ${row.at}`;
    if (row.seconds < WORTH_SAYING_SECONDS || told.has(key)) return;
    told.add(key);
    say(`${row.id} has not moved for ${row.seconds} s: ${waitedFor}`);
  };
  const watching = (async () => {
    while (!stopped.signal.aborted) {
      await look().catch(() => undefined); // a power cut
      await delay(LOOK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await watching;
      await connection.close();
      return longest;
    },
  };
}

/** What a job waits for, as Temporal has it. */
export async function pending(temporal: Client, jobId: string): Promise<string> {
  const { raw } = await temporal.withDeadline(Date.now() + 3_000, () =>
    temporal.workflow.getHandle(jobId).describe(),
  );
  const activities = (raw.pendingActivities ?? []).map(
    ({ activityType, attempt, lastFailure }) =>
      `${activityType?.name} attempt ${attempt} (${lastFailure?.message ?? 'no failure'})`,
  );
  const task = raw.pendingWorkflowTask;
  return (
    [...activities, ...(task ? [`workflow task attempt ${task.attempt}`] : [])].join(', ') ||
    'nothing'
  );
}
