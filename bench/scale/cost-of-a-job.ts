import { setTimeout as delay } from 'node:timers/promises';
import { activitiesOfOneJob, withEmptyWorkflows } from './empty.ts';
import { type Installation, startInstallation } from './installation.ts';
import { type ByPart, inParallel, measured, named, type Row } from './measure.ts';
import type { Report } from './report.ts';

/** Short and many: the speed of a shared machine changes from minute to minute. */
const ROUNDS = 10;
/** Jobs at once, and how many in each round. */
const [BUSY, BUSY_COUNT] = [32, 64];
const ALONE_COUNT = 6;
const WARM_UP = 500;
/** The model's own time is left out: a job makes two calls. */
const MODEL_CALLS = 2;

/**
 * What a job costs beside an empty workflow of as many activities, both in turn on one installation
 * with one worker.
 */
export async function costOfAJob(report: Report): Promise<Record<string, unknown>> {
  const installation = await startInstallation({ workers: 1 });
  try {
    const [project] = installation.projects;
    const job = async () => installation.done(project, await installation.create(project));
    const activities = await activitiesOfOneJob(installation);
    let result: Record<string, unknown> = {};
    await withEmptyWorkflows(installation.cluster.temporalAddress, activities, async empty => {
      // Statements prepared, code compiled: the first jobs cost more than the thousandth.
      await inParallel(BUSY, report.of(WARM_UP), job);
      await inParallel(BUSY, report.of(WARM_UP), empty);
      result = await compare(installation, report, { job, empty, activities });
    });
    return result;
  } finally {
    await installation.close();
  }
}

interface Compared {
  job: () => Promise<void>;
  empty: () => Promise<void>;
  activities: number;
}

async function compare(
  installation: Installation,
  report: Report,
  { job, empty, activities }: Compared,
): Promise<Record<string, unknown>> {
  const rows: Record<'job' | 'empty', { busy: Row[]; alone: number[] }> = {
    job: { busy: [], alone: [] },
    empty: { busy: [], alone: [] },
  };
  const pair = [
    ['job', job],
    ['empty', empty],
  ] as const;
  for (let round = 0; round < report.of(ROUNDS); round++)
    // The other way round every second time, so that a drift of the machine favours neither.
    for (const [of, one] of round % 2 === 0 ? pair : pair.toReversed()) {
      rows[of].busy.push(await busy(installation, report.of(BUSY_COUNT), one, of));
      rows[of].alone.push(...(await inParallel(1, report.of(ALONE_COUNT), one)));
    }
  const modelMs = MODEL_CALLS * installation.model.delayMs;
  const ratios = rows.job.busy.map((row, i) => withoutApi(row) / withoutApi(rows.empty.busy[i]!));
  const table = (['job', 'empty'] as const).map(of => ({
    '': of === 'job' ? 'A job' : `An empty workflow of ${activities} activities`,
    ...named(meanByPart(rows[of].busy)),
    'Without the API': Math.round(mean(rows[of].busy.map(withoutApi))),
    'Alone, ms': Math.round(median(rows[of].alone) - (of === 'job' ? modelMs : 0)),
  }));
  await report.table('cpu', `CPU of one in ms, at ${BUSY} at once; time of one alone`, table);
  const alone = table.map(row => row['Alone, ms']);
  const result = {
    activities,
    cpuRatio: hundredths(
      mean(rows.job.busy.map(withoutApi)) / mean(rows.empty.busy.map(withoutApi)),
    ),
    cpuRatios: ratios.map(hundredths),
    timeRatio: hundredths(alone[0]! / alone[1]!),
  };
  console.log(
    `CPU without the API: ${result.cpuRatio} times (goal 1.6), by round ${result.cpuRatios.join(', ')}; ` +
      `time without the model: ${result.timeRatio} times (goal 1.5)`,
  );
  return { table, ...result };
}

/** The worker of empty workflows is this process. */
async function busy(
  installation: Installation,
  count: number,
  one: () => Promise<void>,
  of: 'job' | 'empty',
): Promise<Row> {
  await delay(2_000);
  const before = process.cpuUsage();
  const row = await measured(installation, of, BUSY, count, one);
  const { user, system } = process.cpuUsage(before);
  const own = Math.round((user + system) / 1000 / count);
  return of === 'job' ? row : { ...row, cpuMs: { ...row.cpuMs, worker: own } };
}

function withoutApi({ cpuMs: { temporal, postgres, worker } }: Row): number {
  return temporal + postgres + worker;
}

function meanByPart(rows: Row[]): ByPart {
  const of = (part: keyof ByPart) => Math.round(mean(rows.map(({ cpuMs }) => cpuMs[part])));
  return {
    temporal: of('temporal'),
    postgres: of('postgres'),
    api: of('api'),
    worker: of('worker'),
  };
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
