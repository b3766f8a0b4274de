import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import { checkWorkspace } from '../agent/checks/check.ts';
import { openWorkspace } from '../agent/workspace.ts';
import { startOfflineModel } from '../offline-model/server.ts';
import { changesBetween, closeness } from './eval/line-score.ts';
import { OFFLINE_MODEL } from '../shared/agent-text.ts';
import { memorySnapshot } from '../test/support/memory-snapshot.ts';
import { runAgentLoop } from './agent-loop.ts';
import { asForm, changesOutside, falseClaims } from './edit-honesty.ts';

const DEFAULT_SET = '../shared/conformance/edits';

interface Case {
  id: string;
  prompt: string;
  class: string;
}

interface Score {
  id: string;
  mechanical: boolean;
  exact: boolean;
  lineF1: number;
  touchedF1: number;
  steps: number;
  findings: number;
  /** The model took the instruction for one of its forms, and changed something. */
  carriedOut: boolean;
  outside: string[];
  falseClaims: string[];
  message: string;
}

export interface Summary {
  cases: number;
  /** Shares and means, 0 to 1. */
  exact: number;
  lineF1: number;
  touchedF1: number;
}

/** What the offline model is held to: both are 1 where no case has any. */
export interface Precision {
  nothingOutside: number;
  nothingFalse: number;
  carriedOut: number;
}

/**
 * Scores the offline model on real documentation commits: the real tools, in a plain loop, on the
 * files as they were before. Its goal is precision: no change outside what was asked, no false
 * sentence. The report also shows how often it does exactly what the person did. `--set DIR` reads
 * another folder of the same layout (`cases.jsonl`, `files/ID/before|after`).
 */
export async function run(
  args: string[],
): Promise<{ edits?: Summary & { llm: Summary; precision: Precision } }> {
  const at = args.indexOf('--set');
  const set = at < 0 ? DEFAULT_SET : (args[at + 1] ?? DEFAULT_SET);
  if (!existsSync(join(set, 'cases.jsonl'))) {
    console.log(
      `edits: ${set}/cases.jsonl is not there; nothing to score. ` +
        'Name a folder of cases with --set DIR.',
    );
    return {};
  }
  const cases = (await readFile(join(set, 'cases.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Case);
  const scores = await scoreAll(cases, set);
  print(scores, args.includes('--verbose'));
  const edits = {
    precision: precision(scores),
    ...summary(scores.filter(one => one.mechanical)),
    llm: summary(scores.filter(one => !one.mechanical)),
  };
  const { precision: held, llm, ...mechanical } = edits;
  console.log(
    [
      `precision: ${JSON.stringify(held)} (goal: nothing outside 1, nothing false 1)`,
      `mechanical: ${JSON.stringify(mechanical)}`,
      `llm: ${JSON.stringify(llm)}`,
    ].join('\n'),
  );
  return { edits };
}

async function scoreAll(cases: Case[], set: string): Promise<Score[]> {
  const model = await startOfflineModel();
  const client = new Anthropic({ apiKey: 'offline', baseURL: model.url, maxRetries: 0 });
  const scores: Score[] = [];
  try {
    for (const one of cases) scores.push(await score(one, join(set, 'files', one.id), client));
  } finally {
    await model.close();
  }
  return scores;
}

function print(scores: Score[], verbose: boolean): void {
  console.table(
    Object.fromEntries(
      scores.map(one => [
        one.id,
        {
          class: one.mechanical ? 'mechanical' : 'llm',
          carriedOut: one.carriedOut,
          outside: one.outside.length,
          false: one.falseClaims.length,
          exact: one.exact,
          lineF1: round(one.lineF1),
          steps: one.steps,
          findings: one.findings,
        },
      ]),
    ),
  );
  for (const { id, outside, falseClaims: claims } of scores) {
    if (outside.length > 0) console.log(`${id}: changed outside: ${outside.join(', ')}`);
    if (claims.length > 0) console.log(`${id}: said what is not so: ${claims.join('; ')}`);
  }
  if (verbose) for (const { id, message } of scores) console.log(`${id}: ${message}`);
}

function precision(scores: Score[]): Precision {
  const share = (isSo: (one: Score) => boolean) =>
    round(scores.filter(isSo).length / Math.max(1, scores.length));
  return {
    nothingOutside: share(one => one.outside.length === 0),
    nothingFalse: share(one => one.falseClaims.length === 0),
    carriedOut: share(one => one.carriedOut),
  };
}

async function score(
  { id, prompt, class: kind }: Case,
  folder: string,
  client: Anthropic,
): Promise<Score> {
  const [before, after] = await Promise.all([
    readTree(join(folder, 'before')),
    readTree(join(folder, 'after')),
  ]);
  const docsFolder = Object.keys({ ...before, ...after }).every(path => path.startsWith('docs/'))
    ? 'docs'
    : '';
  const workspace = openWorkspace(memorySnapshot(before), new Map());
  const instruction = asForm(prompt);
  const loop = await runAgentLoop(client, workspace, instruction, {
    docsFolder,
    model: OFFLINE_MODEL,
  });
  const ours = Object.fromEntries(
    [...(await workspace.changes())].map(([path, content]) => [
      path,
      content?.toString('utf8') ?? null,
    ]),
  );
  const findings = (await checkWorkspace(workspace, { docsFolder })).filter(
    finding => finding.severity === 'error',
  ).length;
  const wanted = changesBetween(before, after);
  const carried = { instruction, before, changes: ours, message: loop.message };
  return {
    id,
    mechanical: kind !== 'llm',
    steps: loop.steps,
    carriedOut: Object.keys(ours).length > 0,
    outside: changesOutside(carried),
    falseClaims: falseClaims(carried),
    findings,
    message: loop.message,
    ...closeness(before, ours, wanted),
  };
}

async function readTree(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  if (!existsSync(folder)) return files;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = await readFile(path, 'utf8');
  }
  return files;
}

function summary(scores: Score[]): Summary {
  const mean = (values: number[]) =>
    values.length === 0 ? 0 : round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return {
    cases: scores.length,
    exact: mean(scores.map(one => Number(one.exact))),
    lineF1: mean(scores.map(one => one.lineF1)),
    touchedF1: mean(scores.map(one => one.touchedF1)),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
