import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findOrganizationBySlug } from '../../db/people/organizations.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import { type Effort, EFFORTS } from '../../shared/models/thinking.ts';
import { createRecordedOrganization } from '../../cli/operator-acts.ts';
import { openTemporal } from '../../cli/connect/temporal.ts';
import { type ConnectedConfig, type Env, withDatabase } from '../../cli/connect/settings.ts';
import { COMPARED, comparedRows, type EarlierReport, readReport } from './compare.ts';
import { type EvalCase, readCases } from './cases.ts';
import {
  asMarkdown,
  caseRow,
  COLUMNS,
  type EvalReport,
  summarizeCases,
  totalRow,
} from './report.ts';
import { type CaseResult, type EvalRun, runCase, type Variant } from './run-case.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { runProgram } from '../../cli/run-program.ts';
import { print, printTable } from '../../cli/output/terminal.ts';

interface EvalOptions {
  out: string;
  model?: string;
  effort?: Effort;
  agents?: string;
  system?: string;
  only?: string;
  parallel: number;
  jobs?: string;
  compare?: string;
  json?: boolean;
}

/** The organization that evaluations belong to: their jobs and cost are in no other's lists. */
const ORGANIZATION = { slug: 'evaluations', name: 'Evaluations' };

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
    .option('--json', 'print the report as JSON')
    .action(async (folder: string, options: EvalOptions) => {
      const earlier = options.compare === undefined ? undefined : await readReport(options.compare);
      await withDatabase(env, async (pool, config) => {
        if (options.jobs !== undefined) {
          const { addPastJobs } = await import('./past-jobs.ts');
          await addPastJobs(pool, config, folder, listed(options.jobs));
        }
        const cases = chosen(await readCases(folder), options.only);
        const report = await evaluate(pool, config, cases, options, earlier);
        if (options.json) print(JSON.stringify(report, null, 2));
        else printReport(report, options.out);
      });
    });
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

async function evaluate(
  pool: Pool,
  config: ConnectedConfig,
  cases: EvalCase[],
  options: EvalOptions,
  earlier: EarlierReport | undefined,
): Promise<EvalReport> {
  const variant = await readVariant(options);
  const runId = await openRun(options.out, variant);
  const temporal = await openTemporal(config);
  try {
    const organization =
      (await findOrganizationBySlug(pool, ORGANIZATION.slug)) ??
      (await transaction(pool, tx => createRecordedOrganization(tx, ORGANIZATION)));
    const run: EvalRun = {
      ...{ pool, config, runId, variant, temporal: temporal.client },
      organizationId: organization.id,
    };
    const results = await runAll(run, cases, options);
    const report: EvalReport = {
      runId,
      variant: {
        model: options.model ?? null,
        effort: options.effort ?? null,
        agents: options.agents ?? null,
        system: options.system ?? null,
      },
      summary: summarizeCases(results),
      cases: results,
    };
    if (earlier)
      report.comparison = {
        ...{ runId: earlier.runId, columns: [...COMPARED] },
        rows: comparedRows(report, earlier),
      };
    await save(join(options.out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
    await save(join(options.out, 'report.md'), asMarkdown(report));
    return report;
  } finally {
    await temporal.close();
  }
}

async function readVariant({ model, effort, agents, system }: EvalOptions): Promise<Variant> {
  const read = (file: string) =>
    readFile(file, 'utf8').catch(() => {
      throw new CommandFailure(`${file} cannot be read.`, EXIT.usage);
    });
  return {
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(agents !== undefined && { agents: await read(agents) }),
    ...(system !== undefined && { system: await read(system) }),
  };
}

/** The id of the run in a folder; a new one in a new folder. Throws if it is of another variant. */
async function openRun(out: string, variant: Variant): Promise<string> {
  const file = join(out, 'run.json');
  if (existsSync(file)) {
    const begun = JSON.parse(await readFile(file, 'utf8')) as { runId: string; variant: Variant };
    if (JSON.stringify(begun.variant) !== JSON.stringify(variant))
      throw new CommandFailure(
        `${out} has a run with another model, AGENTS.md or system prompt. Choose another --out.`,
        EXIT.usage,
      );
    return begun.runId;
  }
  await mkdir(out, { recursive: true });
  const runId = randomBytes(5).toString('hex');
  await save(file, `${JSON.stringify({ runId, variant }, null, 2)}\n`);
  return runId;
}

async function runAll(
  run: EvalRun,
  cases: readonly EvalCase[],
  { parallel, json }: EvalOptions,
): Promise<CaseResult[]> {
  const results = new Map<string, CaseResult>();
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const result = await runCase(run, one);
      results.set(one.id, result);
      if (!json) print(`${one.id}  ${result.status}  line F1 ${result.lineF1.toFixed(2)}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return cases.flatMap(one => results.get(one.id) ?? []);
}

function printReport(report: EvalReport, out: string): void {
  printTable([...COLUMNS], [...report.cases.map(caseRow), totalRow(report.summary)]);
  if (report.comparison) printTable(report.comparison.columns, report.comparison.rows);
  print(`Report: ${join(out, 'report.md')}`);
}

/** A kill while it writes leaves the old file or the new one. */
async function save(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

await runProgram(evalProgram(process.env));
