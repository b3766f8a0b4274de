import type { temporal as proto } from '@temporalio/proto';

export type History = proto.api.history.v1.IHistory;

/** Each activity of a history, from scheduled to completed, ms. */
export function durations(history: History): { type: string; ms: number }[] {
  const scheduled = new Map<string, { type: string; at: number }>();
  const found: { type: string; ms: number }[] = [];
  for (const event of history.events ?? []) {
    const at = Number(event.eventTime?.seconds ?? 0) * 1000 + (event.eventTime?.nanos ?? 0) / 1e6;
    const start = event.activityTaskScheduledEventAttributes;
    if (start) scheduled.set(String(event.eventId), { type: start.activityType?.name ?? '', at });
    const end = event.activityTaskCompletedEventAttributes;
    const begun = end && scheduled.get(String(end.scheduledEventId));
    if (begun) found.push({ type: begun.type, ms: at - begun.at });
  }
  return found;
}

/**
 * From one activity's scheduling to the next one's, ms: the activity and the workflow task that
 * follows it.
 */
export function intervals(history: History): number[] {
  const at = (history.events ?? [])
    .filter(event => event.activityTaskScheduledEventAttributes)
    .map(
      event => Number(event.eventTime?.seconds ?? 0) * 1000 + (event.eventTime?.nanos ?? 0) / 1e6,
    );
  return at.slice(1).map((time, i) => time - (at[i] ?? time));
}

/** Count and quantiles by activity type. */
export function activityTimes(
  histories: History[],
): Record<string, { count: number; p50ms: number; p95ms: number }> {
  const byType = new Map<string, number[]>();
  for (const { type, ms } of histories.flatMap(durations))
    byType.set(type, [...(byType.get(type) ?? []), ms]);
  return Object.fromEntries(
    [...byType].map(([type, times]) => [
      type,
      { count: times.length, p50ms: percentile(times, 0.5), p95ms: percentile(times, 0.95) },
    ]),
  );
}

/** The value below which a share of all values is, to a tenth. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) /
    10
  );
}
