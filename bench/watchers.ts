import { startJobStack } from '../test/support/job-stack.ts';
import { startServices } from '../test/support/start-services.ts';

const JOBS = 20;
const WATCHERS = 200;
const STEPS = 8;
/** A model that answers at once would leave the watchers nothing to wait for. */
const THINKING_MS = 400;

interface Sighting {
  jobId: string;
  seq: number;
  at: number;
}

/**
 * Watchers on jobs that run: the delay from an event's transaction to its arrival over HTTP, and
 * what watching costs Postgres.
 */
export async function run(): Promise<Record<string, unknown>> {
  const services = await startServices();
  const stack = await startStack();
  try {
    const ids = await Promise.all(
      Array.from(
        { length: JOBS },
        async (_, i) => (await stack.create(`Look around, number ${i}`)).id,
      ),
    );
    const watching = Array.from({ length: WATCHERS }, (_, i) =>
      watch(
        `${stack.baseUrl}/v2/agent/${stack.project.id}/job/${ids[i % JOBS]!}/events`,
        stack.adminKey,
        ids[i % JOBS]!,
      ),
    );
    const connections = await listenConnections(stack.pool);
    const seen = (await Promise.all(watching)).flat();
    const { rows } = await stack.pool.query<StoredEvent>(
      'select job_id, seq, extract(epoch from created_at)::float8 * 1000 as at from job_events',
    );
    const delays = delaysOf(seen, rows);
    const result = {
      jobs: JOBS,
      watchers: WATCHERS,
      events: rows.length,
      deliveries: seen.length,
      expected: rows.length * (WATCHERS / JOBS),
      p50ms: percentile(delays, 0.5),
      p95ms: percentile(delays, 0.95),
      listenConnections: connections,
    };
    console.table([result]);
    console.log('goal: every event at every watcher, one connection a process');
    return { watchers: result };
  } finally {
    await stack.close();
    await services.stop();
  }
}

/** Jobs whose model takes STEPS steps each. */
function startStack(): ReturnType<typeof startJobStack> {
  let asked = 0;
  return startJobStack({
    files: { 'docs/index.md': '# Welcome\n' },
    script: () =>
      asked++ < JOBS * STEPS
        ? {
            text: `Looking, for the ${asked}th time.`,
            toolUses: [{ name: 'list_files', input: { glob: `docs/*${asked}*` } }],
            delayMs: THINKING_MS,
          }
        : { text: 'Nothing to do.' },
    env: { WORKER_MAX_ACTIVITIES: '50' },
  });
}

interface StoredEvent {
  job_id: string;
  seq: number;
  at: number;
}

/** Milliseconds from each event's transaction to its arrival, sorted. */
function delaysOf(seen: Sighting[], rows: StoredEvent[]): number[] {
  const born = new Map(rows.map(row => [`${row.job_id} ${row.seq}`, row.at]));
  // The first steps of a job may be over before its watchers have arrived; those are replay, not
  // delay.
  const arrived = new Map<string, number>();
  for (const { jobId, at } of seen)
    arrived.set(jobId, Math.min(arrived.get(jobId) ?? Infinity, at));
  return seen
    .map(({ jobId, seq, at }) => ({ born: born.get(`${jobId} ${seq}`)!, at, jobId }))
    .filter(event => event.born > arrived.get(event.jobId)!)
    .map(event => event.at - event.born)
    .sort((a, b) => a - b);
}

async function watch(url: string, key: string, jobId: string): Promise<Sighting[]> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const seen: Sighting[] = [];
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    const at = performance.timeOrigin + performance.now();
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop()!;
    for (const frame of frames) {
      const [, seq] = /^id: (\d+)\n/.exec(frame) ?? [];
      if (seq) seen.push({ jobId, seq: Number(seq), at });
    }
  }
  return seen;
}

async function listenConnections(pool: {
  query(sql: string): Promise<{ rows: { count: number }[] }>;
}): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, 1_500));
  const { rows } = await pool.query(
    `select count(*) from pg_stat_activity
     where datname = current_database() and query like 'listen %'`,
  );
  return rows[0]!.count;
}

function percentile(sorted: number[], share: number): number {
  return (
    Math.round(
      (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN) * 10,
    ) / 10
  );
}
