interface Field {
  name: string;
  min: number;
  max: number;
  names?: readonly string[];
}

const DAY: Field = { name: 'day of the month', min: 1, max: 31 };
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH: Field = { name: 'month', min: 1, max: 12, names: MONTHS };
/** The five fields of cron, with what each may say. */
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  DAY,
  MONTH,
  { name: 'day of the week', min: 0, max: 7, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

/** What is wrong with a cron expression: half a sentence; undefined if nothing is. */
export function wrongInCron(cron: string): string | undefined {
  const parts = cron.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    return `must have five fields (minute, hour, day, month, weekday); "${cron}" has ${parts.length}`;
  for (const [i, field] of FIELDS.entries()) {
    const part = parts[i] ?? '';
    if (!part.split(',').every(one => rangeOf(one, field)))
      return `has no valid ${field.name}: "${part}"`;
  }
  return happens(parts[2] ?? '', parts[3] ?? '') ? undefined : `names a day that no month has`;
}

/** Whether one of the months has one of the days. */
function happens(days: string, months: string): boolean {
  const first = Math.min(...days.split(',').map(one => rangeOf(one, DAY)?.first ?? 1));
  return months
    .split(',')
    .flatMap(one => monthsIn(rangeOf(one, MONTH)!))
    .some(of => first <= (DAYS_OF_MONTHS[of - 1] ?? 0));
}

function monthsIn({ first, last, step }: Range): number[] {
  const months = [];
  for (let at = first; at <= last; at += step) months.push(at);
  return months;
}

interface Range {
  first: number;
  last: number;
  step: number;
}

function rangeOf(text: string, { min, max, names = [] }: Field): Range | undefined {
  const [, range = '', each = '1'] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  const step = Number(each);
  if (range === '' || step === 0) return undefined;
  if (range === '*') return { first: min, last: max, step };
  const ends = range.split('-').map(end => {
    const named = names.indexOf(end.toLowerCase());
    if (named !== -1) return named + min;
    return /^\d{1,2}$/.test(end) ? Number(end) : Number.NaN;
  });
  const [first = Number.NaN, last = first] = ends;
  const fits = ends.length <= 2 && first >= min && last <= max && first <= last;
  // "2/3": from the second on.
  return fits ? { first, last: each !== '1' && ends.length === 1 ? max : last, step } : undefined;
}

const LISTED = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);
const LISTED_IN_LOWER_CASE = new Set([...LISTED].map(name => name.toLowerCase()));
/** Such as Asia/Kolkata: a good name that Node's list has under an older one. */
const REGION_AND_PLACE = /^[A-Z][a-z]+(\/[A-Z][\w+-]*)+$/;

/** Whether it is the name of a time zone as Temporal knows it: case counts there, not in Node. */
export function isTimezone(name: string): boolean {
  if (LISTED.has(name)) return true;
  if (LISTED_IN_LOWER_CASE.has(name.toLowerCase()) || !REGION_AND_PLACE.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
