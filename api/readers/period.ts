import { type Static, Type } from '@sinclair/typebox';
import type { ReportPeriod } from '../../db/assistant/question-report.ts';
import { fieldProblem } from '../../shared/errors.ts';

const Day = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 40, description, examples: [example] }));
export const PERIOD = {
  dateFrom: Day('A day in UTC, or a time: what was given from then on.', '2026-11-01'),
  dateTo: Day('A day in UTC, which is included, or a time.', '2026-11-30'),
};
export const PeriodQuery = Type.Object(PERIOD);
type Query = Static<typeof PeriodQuery>;

/** A day at the end is included. */
export function periodOf({ dateFrom, dateTo }: Query): Partial<ReportPeriod> {
  const until = dateTo === undefined ? undefined : timeOf('dateTo', dateTo);
  if (until && /^\d{4}-\d{2}-\d{2}$/.test(dateTo ?? '')) until.setUTCDate(until.getUTCDate() + 1);
  return {
    ...(dateFrom !== undefined && { from: timeOf('dateFrom', dateFrom) }),
    ...(until && { until }),
  };
}

/** The report looks at as many days before them, too. */
const MOST_DAYS = 10_000;

/** Without a beginning, the 30 days before the end; without an end, or after today, until now. */
export function reportPeriodOf(query: Query): ReportPeriod {
  const { from, until: wanted } = periodOf(query);
  const now = new Date();
  const until = wanted && wanted < now ? wanted : now;
  const period = { from: from ?? daysBefore(until, 30), until };
  if (period.from >= until) throw fieldProblem('dateFrom', 'must be before dateTo');
  if (period.from < daysBefore(until, MOST_DAYS))
    throw fieldProblem('dateFrom', `must be at most ${MOST_DAYS} days before dateTo`);
  return period;
}

export function daysBefore(end: Date, days: number): Date {
  return new Date(end.getTime() - days * 86_400_000);
}

function timeOf(field: string, text: string): Date {
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.test(text) && !isNaN(time.getTime()))
    return time;
  throw fieldProblem(field, 'must be a day such as 2026-11-30, or a time in ISO 8601');
}
