import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { CommandFailure, EXIT } from '../../cli/output/failure.ts';
import { costText, type EvalReport } from './report.ts';

const Scores = {
  touchedF1: Type.Number(),
  lineF1: Type.Number(),
  findings: Type.Number(),
  inputTokens: Type.Number(),
  outputTokens: Type.Number(),
  costUsd: Type.Union([Type.Number(), Type.Null()]),
  callsOfUnknownCost: Type.Number(),
  callsWithoutPrice: Type.Number(),
  seconds: Type.Number(),
};

/** What a comparison reads of `report.json`. */
const EarlierReport = Type.Object({
  runId: Type.String(),
  variant: Type.Optional(
    Type.Object({
      endpoint: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      model: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  cases: Type.Array(
    Type.Object({
      ...{ id: Type.String(), exact: Type.Boolean(), status: Type.String() },
      ...{ prompt: Type.Optional(Type.String()) },
      ...{ diff: Type.Optional(Type.String()), referenceDiff: Type.Optional(Type.String()) },
      ...Scores,
    }),
  ),
});
export type EarlierReport = Static<typeof EarlierReport>;
type Row = EarlierReport['cases'][number];

/** Reads the report of an earlier run from its folder. Throws `CommandFailure`. */
export async function readReport(folder: string): Promise<EarlierReport> {
  const file = join(folder, 'report.json');
  try {
    const report: unknown = JSON.parse(await readFile(file, 'utf8'));
    Value.Assert(EarlierReport, report);
    return report;
  } catch {
    throw new CommandFailure(`${file} is not the report of a finished run.`, EXIT.usage);
  }
}

export const COMPARED = [
  'case',
  'status',
  'files F1',
  'line F1',
  'exact',
  'findings',
  'tokens in/out',
  'cost',
  'seconds',
] as const;

/** A row for each case of both runs, each cell as "earlier → this", then the means and sums. */
export function comparedRows(report: EvalReport, earlier: EarlierReport): string[][] {
  const pairs = report.cases.flatMap((one): [Row, Row][] => {
    const before = earlier.cases.find(({ id }) => id === one.id);
    return before ? [[before, one]] : [];
  });
  const line = (name: string, befores: Row[], afters: Row[]): string[] => {
    const both = (of: (rows: Row[]) => string) => `${of(befores)} → ${of(afters)}`;
    return [
      name,
      both(statusOf),
      both(rows => mean(rows, 'touchedF1').toFixed(2)),
      both(rows => mean(rows, 'lineF1').toFixed(2)),
      both(exactOf),
      both(rows => String(sum(rows, 'findings'))),
      both(rows => `${sum(rows, 'inputTokens')}/${sum(rows, 'outputTokens')}`),
      both(costOf),
      both(rows => sum(rows, 'seconds').toFixed(1)),
    ];
  };
  return [
    ...pairs.map(([before, after]) => line(after.id, [before], [after])),
    line(
      `${pairs.length} cases`,
      pairs.map(([before]) => before),
      pairs.map(([, after]) => after),
    ),
  ];
}

function statusOf(rows: Row[]): string {
  return rows.length === 1
    ? (rows[0]?.status ?? '')
    : `${rows.filter(row => row.status === 'failed').length} failed`;
}

function exactOf(rows: Row[]): string {
  const exact = rows.filter(row => row.exact).length;
  return rows.length === 1 ? (exact === 1 ? 'yes' : 'no') : String(exact);
}

function costOf(rows: Row[]): string {
  const known = rows.flatMap(row => row.costUsd ?? []);
  return costText({
    costUsd: known.length === 0 && rows.length > 0 ? null : known.reduce((a, b) => a + b, 0),
    callsOfUnknownCost: sum(rows, 'callsOfUnknownCost'),
    callsWithoutPrice: sum(rows, 'callsWithoutPrice'),
  });
}

type Counted = Exclude<keyof typeof Scores, 'costUsd'>;
const sum = (rows: Row[], of: Counted): number => rows.reduce((total, row) => total + row[of], 0);
const mean = (rows: Row[], of: Counted): number => sum(rows, of) / Math.max(1, rows.length);
