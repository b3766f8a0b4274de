/**
 * Seconds between an attempt and the next: those that Standard Webhooks recommends, three days
 * together.
 */
const WAITS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** So much of a wait is left to chance, so that what failed together does not come back together. */
const JITTER = 0.2;
/** A receiver cannot ask for more. */
const LONGEST_WAIT = 86_400;
/** Statuses that ask for less. */
const THROTTLED = new Set([429, 502, 503, 504]);

/** Seconds until the next attempt; null: this was the last. */
export function waitAfter(
  attempt: number,
  answer: Pick<Response, 'status' | 'headers'> | undefined,
): number | null {
  const wait = WAITS[attempt - 1];
  if (wait === undefined) return null;
  const asked = answer && THROTTLED.has(answer.status) ? retryAfterOf(answer.headers) : 0;
  return Math.max(wait, asked) * (1 + Math.random() * JITTER);
}

/** Seconds or a date; 0: it names none. */
function retryAfterOf(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_WAIT) : 0;
}
