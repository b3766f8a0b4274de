import { activitiesOfOneJob, withEmptyWorkflows } from './empty.ts';
import { type Installation, startInstallation } from './installation.ts';
import { type ByPart, measured, memoryByPart, type Row } from './measure.ts';
import type { Report } from './report.ts';

/** Jobs at once, and how many in all. */
const LEVELS = [
  [1, 4],
  [8, 24],
  [32, 64],
  [100, 150],
] as const;

/**
 * A model of 0.3 s a call, so that the machine is the limit: one worker and three, beside an empty
 * workflow of as many activities on the same server.
 */
export async function levels(report: Report): Promise<Record<string, unknown>> {
  const rows: Row[] = [];
  let memory: ByPart | undefined;
  for (const workers of [1, 3]) {
    const installation = await startInstallation({ workers });
    try {
      rows.push(...(await measureLevels(installation, workers, report)));
      if (workers === 3) {
        rows.push(...(await emptyWorkflows(installation, report)));
        memory = memoryByPart(installation);
      }
    } finally {
      await installation.close();
    }
  }
  await print(rows, report);
  console.log('memory after all of it, MB:', memory);
  await report.curves('jobs-at-once', {
    title: 'Jobs a minute by jobs at once',
    ...{ x: 'at once', y: 'per minute' },
    lines: [...new Set(rows.map(row => row.what))].map(name => ({
      name,
      points: rows
        .filter(row => row.what === name)
        .map((row): [number, number] => [row.atOnce, row.perMinute]),
    })),
  });
  return { rows, memory };
}

async function print(rows: Row[], report: Report): Promise<void> {
  await report.table(
    'levels',
    'Jobs on a cluster',
    rows.map(row => ({
      '': row.what,
      'At once': row.atOnce,
      'Per minute': row.perMinute,
      'p50, s': row.p50s,
      'p95, s': row.p95s,
    })),
  );
}

async function measureLevels(
  installation: Installation,
  workers: number,
  report: Report,
): Promise<Row[]> {
  const [project] = installation.projects;
  const one = async () => installation.done(project, await installation.create(project));
  await one(); // warm: repository cached, connections open
  const name = workers === 1 ? 'Jobs, one worker' : `Jobs, ${workers} workers`;
  const rows: Row[] = [];
  for (const [atOnce, count] of LEVELS)
    rows.push(await measured(installation, name, atOnce, report.of(count), one));
  return rows;
}

/**
 * As many activities as a job has, all of them ordinary ones; three of a job's are local. Their worker
 * is this process.
 */
async function emptyWorkflows(installation: Installation, report: Report): Promise<Row[]> {
  const { temporalAddress } = installation.cluster;
  const activities = await activitiesOfOneJob(installation);
  const rows: Row[] = [];
  await withEmptyWorkflows(temporalAddress, activities, async runOne => {
    await runOne();
    for (const [atOnce, count] of LEVELS) {
      const name = `Empty workflows of ${activities} activities`;
      rows.push(await measured(installation, name, atOnce, report.of(count), runOne));
    }
  });
  return rows;
}
