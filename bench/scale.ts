import { loadavg } from 'node:os';
import { costOfAJob } from './scale/cost-of-a-job.ts';
import { growth } from './scale/growth.ts';
import { idle } from './scale/idle.ts';
import { levels } from './scale/levels.ts';
import { observability } from './scale/observability.ts';
import { pages } from './scale/pages.ts';
import { openReport, type Report } from './scale/report.ts';
import { slowModel, twoProjects } from './scale/slow-model.ts';
import { streams } from './scale/streams.ts';

type Part = (report: Report) => Promise<Record<string, unknown>>;

/** Each at most eight minutes on two idle cores. */
const PARTS: Record<string, Part> = {
  cost: costOfAJob,
  levels,
  'slow-model': slowModel,
  'two-projects': twoProjects,
  growth,
  pages,
  idle,
  streams,
  observability,
};

/**
 * Jobs and answers on the cluster of `npm run cluster`, on this machine. Names of parts run those
 * alone: `npm run bench -- scale levels growth`. `--docs` writes docs/contributing/performance.md; `--quick` is to
 * see that it runs.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const report = openReport(args);
  const named = args.filter(arg => arg in PARTS);
  const results: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(PARTS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    console.log(`\n# ${name}; load of the machine: ${loadavg()[0]?.toFixed(1)}`);
    const started = performance.now();
    results[name] = await part(report);
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`${name}: ${seconds} s; load of the machine: ${loadavg()[0]?.toFixed(1)}`);
  }
  return { scale: results };
}
