import { useEffect, useState } from 'react';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const full = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "5 min. ago", kept up to date; the exact time is in the title. */
export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const date = new Date(at);
  return (
    <time dateTime={at} title={full.format(date)} className="nowrap">
      {describe((date.getTime() - now) / 1000)}
    </time>
  );
}

function describe(seconds: number): string {
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : 'just now';
}

export function formatTime(at: string): string {
  return full.format(new Date(at));
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat('en');

export function formatNumber(n: number): string {
  return whole.format(n);
}

export function formatCompact(n: number): string {
  return n < 10_000 ? whole.format(n) : compact.format(n);
}

/** US dollars. Null: no call has a known cost. */
export function formatCost(usd: number | null): string {
  if (usd === null) return 'not priced';
  if (usd === 0) return '$0';
  if (usd < 0.01) return '< $0.01';
  return `$${usd.toFixed(2)}`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${formatNumber(n)} ${n === 1 ? one : many}`;
}

const monthAndDay = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** Of YYYY-MM-DD. */
export function shortDay(day: string): string {
  return monthAndDay.format(new Date(`${day}T00:00:00Z`));
}
