/** The five fields of cron, with what each may say. */
const FIELDS: readonly { name: string; min: number; max: number; names?: readonly string[] }[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  },
  { name: 'day of the week', min: 0, max: 7, names: 'sun mon tue wed thu fri sat'.split(' ') },
];

/** What is wrong with a cron expression: half a sentence; undefined if nothing is. */
export function wrongInCron(cron: string): string | undefined {
  const parts = cron.trim().split(/\s+/);
  if (parts.length !== FIELDS.length)
    return `must have five fields (minute, hour, day, month, weekday); "${cron}" has ${parts.length}`;
  for (const [i, field] of FIELDS.entries()) {
    const part = parts[i] ?? '';
    if (!part.split(',').every(one => fits(one, field)))
      return `has no valid ${field.name}: "${part}"`;
  }
  return undefined;
}

function fits(text: string, { min, max, names = [] }: (typeof FIELDS)[number]): boolean {
  const [, range = '', step] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  if (range === '' || step === '0' || step === '00') return false;
  if (range === '*') return true;
  const ends = range.split('-').map(end => {
    const named = names.indexOf(end.toLowerCase());
    if (named !== -1) return named + min;
    return /^\d{1,2}$/.test(end) ? Number(end) : Number.NaN;
  });
  const [first = Number.NaN, last = first] = ends;
  return ends.length <= 2 && first >= min && last <= max && first <= last;
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
