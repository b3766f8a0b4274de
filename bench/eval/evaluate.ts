import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecordedOrganization } from '../../cli/operator-acts.ts';
import type { ConnectedConfig } from '../../cli/connect/settings.ts';
import { openTemporal } from '../../cli/connect/temporal.ts';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { print } from '../../cli/output/terminal.ts';
import { findOrganizationBySlug } from '../../db/people/organizations.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import type { Effort } from '../../shared/models/thinking.ts';
import type { EvalCase } from './cases.ts';
import { COMPARED, comparedRows, type EarlierReport } from './compare.ts';
import { diffsPage } from './diffs.ts';
import { type Endpoint, type EndpointWorker, startEndpointWorker } from './endpoints.ts';
import { asMarkdown, type EvalReport, summarizeCases } from './report.ts';
import { type CaseResult, type EvalRun, runCase, type Variant } from './run-case.ts';

export interface EvaluateDeps {
  pool: Pool;
  config: ConnectedConfig;
  /** Of `evaluationsId`. */
  organizationId: string;
}

export interface EvaluateOptions {
  out: string;
  model?: string;
  effort?: Effort;
  agents?: string;
  system?: string;
  parallel: number;
  json?: boolean;
}

/** The organization that evaluations belong to: their jobs and cost are in no other's lists. */
const ORGANIZATION = { slug: 'evaluations', name: 'Evaluations' };

/**
 * Runs the cases, each once, however often it is asked with the same folder: against the configured
 * endpoint by the workers that there are, or against `endpoint` by a worker of its own.
 */
export async function evaluate(
  { pool, config, organizationId }: EvaluateDeps,
  cases: readonly EvalCase[],
  options: EvaluateOptions,
  endpoint?: Endpoint,
): Promise<EvalReport> {
  const variant = await readVariant(options, endpoint);
  const runId = await openRun(options.out, variant);
  const temporal = await openTemporal(config);
  let worker: EndpointWorker | undefined;
  try {
    worker = endpoint && (await startEndpointWorker(endpoint, runId));
    const run: EvalRun = {
      ...{ pool, runId, variant, temporal: temporal.client },
      config: worker?.config ?? config,
      organizationId,
    };
    const results = await Promise.race([
      runAll(run, cases, options, endpoint ? `${endpoint.name}  ` : ''),
      ...(worker ? [worker.failed] : []),
    ]);
    return {
      runId,
      variant: {
        endpoint: variant.endpoint ?? null,
        model: options.model ?? null,
        effort: options.effort ?? null,
        agents: options.agents ?? null,
        system: options.system ?? null,
      },
      summary: summarizeCases(results),
      cases: results,
    };
  } finally {
    await worker?.stop();
    await temporal.close();
  }
}

export async function evaluationsId(pool: Pool): Promise<string> {
  const organization =
    (await findOrganizationBySlug(pool, ORGANIZATION.slug)) ??
    (await transaction(pool, tx => createRecordedOrganization(tx, ORGANIZATION)));
  return organization.id;
}

/** Writes the report of a run, beside an earlier one if that is given. */
export async function saveReport(
  out: string,
  report: EvalReport,
  earlier: EarlierReport | undefined,
): Promise<void> {
  if (earlier)
    report.comparison = {
      ...{ runId: earlier.runId, columns: [...COMPARED] },
      rows: comparedRows(report, earlier),
    };
  await save(join(out, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
  await save(join(out, 'report.md'), asMarkdown(report));
  await saveDiffs(out, earlier ? [earlier, report] : [report]);
}

export async function saveDiffs(out: string, runs: readonly EarlierReport[]): Promise<void> {
  await save(join(out, 'diffs.html'), diffsPage(runs));
}

async function readVariant(
  { model, effort, agents, system }: EvaluateOptions,
  endpoint: Endpoint | undefined,
): Promise<Variant> {
  const read = (file: string) =>
    readFile(file, 'utf8').catch(() => {
      throw new CommandFailure(`${file} cannot be read.`, EXIT.usage);
    });
  return {
    ...(endpoint && { endpoint: endpoint.address }),
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
        `${out} has a run with another endpoint, model, AGENTS.md or system prompt. Choose another --out.`,
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
  { parallel, json }: EvaluateOptions,
  name: string,
): Promise<CaseResult[]> {
  const results = new Map<string, CaseResult>();
  const waiting = [...cases];
  const work = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      const result = await runCase(run, one);
      results.set(one.id, result);
      if (!json) print(`${name}${one.id}  ${result.status}  line F1 ${result.lineF1.toFixed(2)}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return cases.flatMap(one => results.get(one.id) ?? []);
}

/** A kill while it writes leaves the old file or the new one. */
async function save(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}
