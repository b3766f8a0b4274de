import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type ConnectedConfig, type Env, withDatabase } from '../../cli/connect/settings.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { print, printTable } from '../../cli/output/terminal.ts';
import { runProgram } from '../../cli/run-program.ts';
import type { Pool } from '../../db/pool.ts';
import { EFFORTS } from '../../shared/models/thinking.ts';
import { type EvalCase, readCases } from './cases.ts';
import { readReport } from './compare.ts';
import { readEndpoints } from './endpoints.ts';
import {
  evaluate,
  type EvaluateDeps,
  type EvaluateOptions,
  evaluationsId,
  saveDiffs,
  saveReport,
} from './evaluate.ts';
import { caseRow, COLUMNS, type EvalReport, totalRow } from './report.ts';

interface EvalOptions extends EvaluateOptions {
  only?: string;
  jobs?: string;
  compare?: string;
  endpoints?: string;
}

/** `npm run eval`: runs cases against a model, a prompt or an AGENTS.md, and publishes nothing. */
function evalProgram(env: Env): Command {
  return new Command('eval')
    .argument('<cases>')
    .showHelpAfterError('(see --help for the options)')
    .description('run past changes again and compare: another model, prompt or AGENTS.md')
    .option('--out <folder>', 'folder of the report; the same folder continues the run', 'eval')
    .option('--model <id>', 'model id at the endpoint (default: the configured one)')
    .addOption(new Option('--effort <effort>', 'how much the model may think').choices(EFFORTS))
    .option('--agents <file>', 'AGENTS.md for every case')
    .option('--system <file>', 'text to add to the system prompt')
    .option('--only <ids>', 'comma-separated ids of the cases to run')
    .option('--parallel <n>', 'cases at the same time', positive, 2)
    .option('--jobs <ids>', 'first add these completed jobs, comma-separated, to the cases')
    .option('--compare <folder>', 'set the report beside that of an earlier run')
    .addOption(
      new Option(
        '--endpoints <files>',
        'run against each of these at once: comma-separated files of model settings',
      ).conflicts('compare'),
    )
    .option('--json', 'print the report as JSON')
    .action(async (folder: string, options: EvalOptions) => {
      await withDatabase(env, async (pool, config) => {
        if (options.jobs !== undefined) {
          const { addPastJobs } = await import('./past-jobs.ts');
          await addPastJobs(pool, config, folder, listed(options.jobs));
        }
        const cases = chosen(await readCases(folder), options.only);
        const reports = await runAll({ pool, config }, env, cases, options);
        if (options.json)
          print(JSON.stringify(options.endpoints === undefined ? reports[0] : reports, null, 2));
        else for (const report of reports) printReport(report);
        if (!options.json) print(`Report: ${options.out}`);
      });
    });
}

/** One run, or one for each endpoint, side by side. */
async function runAll(
  connected: { pool: Pool; config: ConnectedConfig },
  env: Env,
  cases: readonly EvalCase[],
  options: EvalOptions,
): Promise<EvalReport[]> {
  const { out, compare } = options;
  const earlier = compare === undefined ? undefined : await readReport(compare);
  const endpoints =
    options.endpoints === undefined ? [] : await readEndpoints(options.endpoints, env);
  const deps: EvaluateDeps = {
    ...connected,
    organizationId: await evaluationsId(connected.pool),
  };
  if (endpoints.length === 0) {
    const report = await evaluate(deps, cases, options);
    await saveReport(out, report, earlier);
    return [report];
  }
  const runs = await Promise.all(
    endpoints.map(async endpoint => {
      const folder = join(out, endpoint.name);
      return { folder, report: await evaluate(deps, cases, { ...options, out: folder }, endpoint) };
    }),
  );
  const [first] = runs;
  for (const run of runs)
    await saveReport(run.folder, run.report, run === first ? undefined : first?.report);
  const reports = runs.map(({ report }) => report);
  await saveDiffs(out, reports);
  return reports;
}

function positive(value: string): number {
  if (!/^[1-9]\d?$/.test(value)) throw new InvalidArgumentError('It must be 1 to 99.');
  return Number(value);
}

function listed(ids: string): string[] {
  return ids.split(',').map(id => id.trim());
}

function chosen(cases: EvalCase[], only: string | undefined): EvalCase[] {
  if (only === undefined) return cases;
  const ids = listed(only);
  const unknown = ids.find(id => !cases.some(one => one.id === id));
  if (unknown !== undefined) throw new CommandFailure(`There is no case ${unknown}.`, EXIT.usage);
  return cases.filter(one => ids.includes(one.id));
}

function printReport(report: EvalReport): void {
  if (report.variant.endpoint !== null) print(`\n${report.variant.endpoint}`);
  printTable([...COLUMNS], [...report.cases.map(caseRow), totalRow(report.summary)]);
  if (report.comparison) printTable(report.comparison.columns, report.comparison.rows);
}

await runProgram(evalProgram(process.env));
