import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import {
  askedGroups,
  type AskedGroup,
  type AskedInPeriod,
  askedQuestions,
  citedPages,
  type ReportPeriod,
} from '../../db/assistant/question-report.ts';
import { searchesWithoutHits } from '../../db/assistant/searches.ts';
import type { Queryable } from '../../db/pool.ts';
import { csv, type CsvRow } from '../../shared/text/csv.ts';

/** Rows of each list of a report. */
const MOST = 100;
/** Rows of an export that are in memory at once. */
const AT_ONCE = 500;

/** What readers asked in a period; each list is cut. */
export async function questionReport(db: Queryable, projectId: string, period: ReportPeriod) {
  const [questions, pages, searches] = await Promise.all([
    askedGroups(db, projectId, period, { limit: MOST }),
    citedPages(db, projectId, period, MOST),
    searchesWithoutHits(db, projectId, period, MOST),
  ]);
  return { questions, pages, searches };
}

export const EXPORTS = ['questions', 'groups'] as const;

/** Sends all questions of a period, or all groups, as CSV: read and sent part by part. */
export function sendExport(
  reply: FastifyReply,
  db: Queryable,
  {
    projectId,
    of,
    period,
  }: { projectId: string; of: (typeof EXPORTS)[number] } & {
    period: ReportPeriod;
  },
): FastifyReply {
  const parts =
    of === 'questions'
      ? inParts(QUESTION_COLUMNS, questionRow, page => askedQuestions(db, projectId, period, page))
      : inParts(GROUP_COLUMNS, groupRow, page => askedGroups(db, projectId, period, page));
  const days = `${period.from.toISOString().slice(0, 10)}-${period.until.toISOString().slice(0, 10)}`;
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${of}-${days}.csv"`)
    .send(Readable.from(parts));
}

async function* inParts<T extends { id: string }>(
  columns: readonly string[],
  rowOf: (row: T) => CsvRow,
  read: (page: { limit: number; after: string }) => Promise<T[]>,
): AsyncGenerator<string> {
  yield csv([columns]);
  for (let after = '', count = AT_ONCE; count === AT_ONCE;) {
    const rows = await read({ limit: AT_ONCE, after });
    if (rows.length > 0) yield csv(rows.map(rowOf));
    after = rows.at(-1)?.id ?? after;
    count = rows.length;
  }
}

const QUESTION_COLUMNS = [
  ...['id', 'group', 'asked at', 'question', 'answered', 'sources'],
  ...['helpful', 'tags', 'comment'],
];

function questionRow(row: AskedInPeriod): CsvRow {
  return [
    ...[row.id, row.groupId, row.createdAt.toISOString(), row.question, yesOrNo(row.answered)],
    row.sources.map(({ url }) => url).join(' '),
    row.helpful === null ? null : yesOrNo(row.helpful),
    ...[row.tags?.join(' ') ?? null, row.comment],
  ];
}

const GROUP_COLUMNS = [
  ...['group', 'question', 'asked', 'asked in the period before', 'answered'],
  ...['helpful', 'not helpful', 'state', 'resolved by'],
];

function groupRow(row: AskedGroup): CsvRow {
  return [
    ...[row.id, row.title, row.asked, row.askedBefore, row.answered],
    ...[row.helpful, row.notHelpful, row.state, row.page],
  ];
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
