import { type Installation, startInstallation } from './installation.ts';
import { inParallel, measured } from './measure.ts';
import type { Report } from './report.ts';

const SLOW_MODEL_MS = 10_000;
/** Of one worker, so that they and not the machine are the limit. */
const SLOTS = 4;
const SLOW_JOBS = 48;
const [JOBS_OF_A, JOBS_OF_B] = [120, 5];
const AT_ONCE = 16;

/** A model that takes its time, and few slots: the workers are the limit. */
export async function slowModel(report: Report): Promise<Record<string, unknown>> {
  const rows: Record<string, number>[] = [];
  const count = report.of(SLOW_JOBS);
  for (const workers of [1, 3])
    await withSlots(workers, async installation => {
      const [project] = installation.projects;
      const one = async () => installation.done(project, await installation.create(project));
      installation.model.delayMs = SLOW_MODEL_MS;
      const { perMinute, p95s } = await measured(installation, '', count, count, one);
      const ratio = Math.round((perMinute / (rows[0]?.['Jobs a minute'] ?? perMinute)) * 100) / 100;
      rows.push({ Workers: workers, 'Jobs a minute': perMinute, 'p95, s': p95s, Ratio: ratio });
    });
  const title = `Model calls of ${SLOW_MODEL_MS / 1000} s, ${count} jobs at once`;
  await report.table('slow-model', title, rows);
  return { rows };
}

/** B's jobs come when all of A's are there: how many of A's are done before B's last one is. */
export async function twoProjects(report: Report): Promise<Record<string, unknown>> {
  let result: Record<string, number> = {};
  await withSlots(3, async installation => {
    result = await behindAnother(installation, report.of(JOBS_OF_A));
  });
  await report.table('two-projects', 'Two projects', [result]);
  return result;
}

async function behindAnother(
  installation: Installation,
  jobsOfA: number,
): Promise<Record<string, number>> {
  const { projects, create, done, model } = installation;
  const [a, b] = projects;
  model.delayMs = 2_000;
  const finished: string[] = [];
  const ends: Promise<unknown>[] = [];
  const begin = async (project: string) => {
    const id = await create(project);
    ends.push(done(project, id).then(() => finished.push(project)));
  };
  await inParallel(AT_ONCE, jobsOfA, () => begin(a));
  const doneBefore = finished.length;
  await inParallel(JOBS_OF_B, JOBS_OF_B, () => begin(b));
  await Promise.all(ends);
  const ofA = finished.slice(0, finished.lastIndexOf(b)).filter(project => project === a).length;
  return {
    "A's jobs that wait": jobsOfA,
    'Done before B asks': doneBefore,
    [`A's jobs done before B's ${JOBS_OF_B} are`]: ofA - doneBefore,
  };
}

/** Few slots, so that work waits in the queue and not for the machine. */
async function withSlots(
  workers: number,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const settings = () => ({
    WORKER_MAX_ACTIVITIES: String(SLOTS),
    WORKER_MAX_MODEL_CALLS: String(SLOTS),
  });
  const installation = await startInstallation({ workers, settings });
  try {
    const [project] = installation.projects;
    await installation.done(project, await installation.create(project));
    await work(installation);
  } finally {
    await installation.close();
  }
}
