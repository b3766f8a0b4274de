import { loadavg } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import { durations, percentile } from './jobs/activity-times.ts';
import { cpuOf, memoryOf } from './scale/cpu.ts';
import { withEmptyWorkflows } from './scale/empty.ts';
import { type Installation, startInstallation } from './scale/installation.ts';

/** Jobs at once, and how many in all. */
const LEVELS = [
  [1, 4],
  [8, 24],
  [32, 64],
] as const;
const SLOW_MODEL_MS = 10_000;
/** Of one worker, where they and not the machine are to be the limit. */
const SLOTS = 4;
const SLOW_JOBS = 48;
const [JOBS_OF_A, JOBS_OF_B] = [120, 5];
const AT_ONCE = 16;

/**
 * Whole jobs through the proxy of `npm run cluster`, with a model of 0.3 s a call: one worker and
 * three, beside an empty workflow of as many activities on the same server; three workers against
 * one where the model takes its time; and a second project's jobs behind 120 of the first.
 * `--fast` or `--slow`: only the first half, or only the second.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  console.log(`load of the machine before: ${loadavg()[0]?.toFixed(1)}`);
  const results = {
    ...(!args.includes('--slow') && (await levels())),
    ...(!args.includes('--fast') && (await slowly())),
  };
  console.log(`load of the machine after: ${loadavg()[0]?.toFixed(1)}`);
  return { scale: results };
}

/** A model of 0.3 s a call: the machine is the limit. */
async function levels() {
  const rows: Row[] = [];
  let memory = {};
  for (const workers of [1, 3]) {
    const installation = await startInstallation(workers);
    try {
      rows.push(...(await measureLevels(installation, workers)));
      if (workers === 3) {
        rows.push(...(await emptyWorkflows(installation)));
        memory = memoryNow(installation);
      }
    } finally {
      await installation.close();
    }
  }
  console.table(rows);
  console.log(memory);
  return { rows, memory };
}

/** A model that takes its time, and few slots: the workers are the limit. */
async function slowly() {
  const slow: Record<string, number>[] = [];
  let fair = {};
  for (const workers of [1, 3])
    await withSlots(workers, async installation => {
      slow.push({ workers, ...(await slowModel(installation)) });
      if (workers === 3) fair = await behindAnother(installation);
    });
  console.table(slow);
  console.log(fair);
  return { slow, fair };
}

interface Row {
  what: string;
  atOnce: number;
  perMinute: number;
  p50s: number;
  p95s: number;
  /** CPU of one, in milliseconds. */
  temporalMs: number;
  postgresMs: number;
  apiMs: number;
  workerMs: number;
}

async function measureLevels(installation: Installation, workers: number): Promise<Row[]> {
  const [project] = installation.projects;
  const one = async () => installation.done(project, await installation.create(project));
  await one(); // warm: repository cached, connections open
  const rows: Row[] = [];
  for (const [atOnce, count] of LEVELS)
    rows.push(await measured(installation, `job, ${workers} workers`, atOnce, count, one));
  return rows;
}

/** The worker of empty workflows is this process. */
async function ownCpu(count: number, measure: () => Promise<Row>): Promise<Row> {
  const before = process.cpuUsage();
  const row = await measure();
  const { user, system } = process.cpuUsage(before);
  return { ...row, workerMs: Math.round((user + system) / 1000 / count) };
}

/** As many activities as a job has. */
async function emptyWorkflows(installation: Installation): Promise<Row[]> {
  const { temporalAddress } = installation.cluster;
  const activities = await activitiesOfOneJob(installation);
  const rows: Row[] = [];
  await withEmptyWorkflows(temporalAddress, activities, async runOne => {
    await runOne();
    for (const [atOnce, count] of LEVELS)
      rows.push(
        await ownCpu(count, () =>
          measured(installation, `empty workflow of ${activities}`, atOnce, count, runOne),
        ),
      );
  });
  return rows;
}

async function activitiesOfOneJob(installation: Installation): Promise<number> {
  const [project] = installation.projects;
  const id = await installation.create(project);
  await installation.done(project, id);
  const connection = await Connection.connect({ address: installation.cluster.temporalAddress });
  const history = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
  await connection.close();
  return durations(history).length;
}

async function measured(
  { cluster: { pids } }: Installation,
  what: string,
  atOnce: number,
  count: number,
  one: () => Promise<void>,
): Promise<Row> {
  const of = (part: string) =>
    Object.entries(pids).reduce(
      (sum, [name, pid]) => sum + (name.startsWith(part) ? cpuOf(pid) : 0),
      0,
    );
  const parts = ['temporal', 'postgres', 'api', 'worker'];
  const before = parts.map(of);
  const started = performance.now();
  const times = await inParallel(atOnce, count, one);
  const seconds = (performance.now() - started) / 1000;
  const [temporalMs = 0, postgresMs = 0, apiMs = 0, workerMs = 0] = parts.map((part, i) =>
    Math.round((of(part) - (before[i] ?? 0)) / count),
  );
  const secondsOf = (share: number) => Math.round(percentile(times, share) / 100) / 10;
  return {
    ...{ what, atOnce, perMinute: Math.round((count / seconds) * 600) / 10 },
    ...{ p50s: secondsOf(0.5), p95s: secondsOf(0.95) },
    ...{ temporalMs, postgresMs, apiMs, workerMs },
  };
}

/** Few slots, so that work waits in the queue and not for the machine. */
async function withSlots(
  workers: number,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const settings = { WORKER_MAX_ACTIVITIES: String(SLOTS) };
  const installation = await startInstallation(workers, settings);
  try {
    const [project] = installation.projects;
    await installation.done(project, await installation.create(project));
    await work(installation);
  } finally {
    await installation.close();
  }
}

async function slowModel(installation: Installation): Promise<Record<string, number>> {
  const [project] = installation.projects;
  const one = async () => installation.done(project, await installation.create(project));
  installation.model.delayMs = SLOW_MODEL_MS;
  const { perMinute, p95s } = await measured(installation, '', SLOW_JOBS, SLOW_JOBS, one);
  return { slots: SLOTS, modelSeconds: SLOW_MODEL_MS / 1000, perMinute, p95s };
}

/** B's jobs come when all of A's are there: how many of A's are done before B's last one is. */
async function behindAnother(installation: Installation): Promise<Record<string, number>> {
  const { projects, create, done, model } = installation;
  const [a, b] = projects;
  model.delayMs = 2_000;
  const finished: string[] = [];
  const ends: Promise<unknown>[] = [];
  const begin = async (project: string) => {
    const id = await create(project);
    ends.push(done(project, id).then(() => finished.push(project)));
  };
  await inParallel(AT_ONCE, JOBS_OF_A, () => begin(a));
  const doneBefore = finished.length;
  await inParallel(JOBS_OF_B, JOBS_OF_B, () => begin(b));
  await Promise.all(ends);
  const ofA = finished.slice(0, finished.lastIndexOf(b)).filter(project => project === a).length;
  return { jobsOfA: JOBS_OF_A, ofADoneBeforeB: doneBefore, ofADoneMeanwhile: ofA - doneBefore };
}

/** In MB, after all of it. */
function memoryNow({ cluster: { pids } }: Installation): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, memoryOf(pid)]));
}

/** How long each took, in milliseconds. */
async function inParallel(
  width: number,
  count: number,
  one: () => Promise<void>,
): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (begun++ < count) {
        const started = performance.now();
        await one();
        times.push(performance.now() - started);
      }
    }),
  );
  return times;
}
