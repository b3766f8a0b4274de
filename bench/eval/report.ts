import type { CaseResult } from './run-case.ts';

/** A run: what was tried, and what came of each case. */
export interface EvalReport {
  runId: string;
  variant: {
    endpoint: string | null;
    model: string | null;
    effort: string | null;
    agents: string | null;
    system: string | null;
  };
  summary: Summary;
  cases: CaseResult[];
  /** Beside an earlier run: `columns` and a row per case of both. */
  comparison?: { runId: string; columns: string[]; rows: string[][] };
}

/** Means and sums over the cases. */
interface Summary {
  cases: number;
  failed: number;
  exact: number;
  touchedF1: number;
  lineF1: number;
  findings: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  callsOfUnknownCost: number;
  callsWithoutPrice: number;
  seconds: number;
}

export function summarizeCases(cases: readonly CaseResult[]): Summary {
  const sum = (of: (one: CaseResult) => number) => cases.reduce((total, one) => total + of(one), 0);
  const mean = (of: (one: CaseResult) => number) => sum(of) / Math.max(1, cases.length);
  const known = cases.flatMap(one => one.costUsd ?? []);
  return {
    cases: cases.length,
    failed: sum(one => Number(one.status === 'failed')),
    exact: sum(one => Number(one.exact)),
    touchedF1: mean(one => one.touchedF1),
    lineF1: mean(one => one.lineF1),
    findings: sum(one => one.findings),
    inputTokens: sum(one => one.inputTokens),
    outputTokens: sum(one => one.outputTokens),
    costUsd: known.length === 0 && cases.length > 0 ? null : known.reduce((a, b) => a + b, 0),
    callsOfUnknownCost: sum(one => one.callsOfUnknownCost),
    callsWithoutPrice: sum(one => one.callsWithoutPrice),
    seconds: sum(one => one.seconds),
  };
}

export const COLUMNS = [
  'case',
  'status',
  'files',
  'reference',
  'files F1',
  'line F1',
  'exact',
  'findings',
  'tokens in/out',
  'cost',
  'seconds',
] as const;

/** One row of the table, in the order of `COLUMNS`. */
export function caseRow(one: CaseResult): string[] {
  return [
    one.id,
    one.status,
    String(one.touched.length),
    String(one.referenceTouched.length),
    one.touchedF1.toFixed(2),
    one.lineF1.toFixed(2),
    one.exact ? 'yes' : 'no',
    String(one.findings),
    `${one.inputTokens}/${one.outputTokens}`,
    costText(one),
    one.seconds.toFixed(1),
  ];
}

export function totalRow(all: Summary): string[] {
  return [
    `${all.cases} cases`,
    `${all.failed} failed`,
    '',
    '',
    all.touchedF1.toFixed(2),
    all.lineF1.toFixed(2),
    String(all.exact),
    String(all.findings),
    `${all.inputTokens}/${all.outputTokens}`,
    costText(all),
    all.seconds.toFixed(1),
  ];
}

/** A sum as people read it, or why there is none. */
export function costText(
  of: Pick<Summary, 'costUsd' | 'callsOfUnknownCost' | 'callsWithoutPrice'>,
): string {
  const { costUsd, callsOfUnknownCost: unknown, callsWithoutPrice } = of;
  if (costUsd === null) return callsWithoutPrice > 0 ? 'not priced' : 'unknown';
  const rest = unknown === 0 ? '' : ` + ${unknown} calls not counted`;
  return `$${costUsd.toFixed(4)}${rest}`;
}

/** The report for people: the table, then each case beside its reference. */
export function asMarkdown({ runId, variant, summary, cases, comparison }: EvalReport): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  const used = [
    `endpoint: ${variant.endpoint ?? 'as configured'}`,
    `model: ${variant.model ?? 'as configured'}`,
    `effort: ${variant.effort ?? 'as configured'}`,
    `AGENTS.md: ${variant.agents ?? 'of each case'}`,
    `system prompt: ${variant.system ?? 'none added'}`,
  ];
  return [
    `# Evaluation ${runId}\n`,
    `${used.map(escaped).join('; ')}.\n`,
    line(COLUMNS),
    line(COLUMNS.map(() => '---')),
    ...cases.map(one => line(caseRow(one))),
    line(totalRow(summary)),
    '',
    ...(comparison
      ? [
          `## Evaluation ${comparison.runId} → ${runId}\n`,
          line(comparison.columns),
          line(comparison.columns.map(() => '---')),
          ...comparison.rows.map(line),
          '',
        ]
      : []),
    ...cases.map(caseSection),
  ].join('\n');
}

function caseSection(one: CaseResult): string {
  const list = (paths: readonly string[]) =>
    paths.length === 0 ? 'none' : paths.map(path => `\`${path}\``).join(', ');
  return [
    `## ${one.id}\n`,
    `${quoted(one.prompt)}\n`,
    `- Changed: ${list(one.touched)}`,
    `- Reference: ${list(one.referenceTouched)}`,
    `- Job: \`${one.jobId}\`, model \`${one.model}\`, ${one.status}\n`,
    `${quoted(one.message)}\n`,
  ].join('\n');
}

/** Text of others, shown as a quotation. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map(line => `> ${line}`)
    .join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}
