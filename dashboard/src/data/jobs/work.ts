import type { ToolCall } from './steps.ts';
import type { TimelineItem } from './timeline.ts';

type Tools = Extract<TimelineItem, { type: 'tools' }>;

/** Calls in a row, folded into one line. */
export interface Work {
  seq: number;
  type: 'work';
  calls: ToolCall[];
}

/** So many calls in a row fold: fewer are read as quickly as their summary. */
const FOLDED_FROM = 6;
/** The newest calls of a running job stay in sight. */
const IN_SIGHT = 3;
/** So many calls of the same tool in a row fold within their list. */
const SAME_FROM = 3;

/** The items with long rows of calls folded: what the agent says stays. `busy`: the last one continues. */
export function foldWork(items: readonly TimelineItem[], busy: boolean): (TimelineItem | Work)[] {
  const last = items.at(-1);
  return items.flatMap((item): (TimelineItem | Work)[] =>
    item.type === 'tools' ? fold(item, busy && item === last ? IN_SIGHT : 0) : [item],
  );
}

function fold(item: Tools, inSight: number): (Tools | Work)[] {
  const from = Math.max(0, item.calls.length - inSight);
  if (from < FOLDED_FROM) return [item];
  const rows: (Tools | Work)[] = [
    { seq: item.seq, type: 'work', calls: item.calls.slice(0, from) },
  ];
  if (inSight > 0) rows.push({ ...item, seq: item.seq + 0.5, calls: item.calls.slice(from) });
  return rows;
}

/** From the first to the last: what the model thought between them included. */
export function wallTime(calls: readonly ToolCall[]): number {
  const ends = calls.flatMap(({ endedAt }) => endedAt ?? []);
  return ends.length === 0 ? 0 : Math.max(...ends) - (calls[0]?.beganAt ?? 0);
}

/** Neighbours: calls of the same tool in a row that all went well, or one call. */
export function neighbours(calls: readonly ToolCall[]): ToolCall[][] {
  const groups: ToolCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const [before] = last ?? [];
    const same = before?.call.toolName === call.call.toolName;
    if (last && before && same && isFine(before) && isFine(call)) last.push(call);
    else groups.push([call]);
  }
  return groups.flatMap(group => (group.length >= SAME_FROM ? [group] : group.map(one => [one])));
}

export type CallState = 'running' | 'not run' | 'failed' | 'problems' | 'done';

/** How a call stands. A check that found errors went well, and is still no success. */
export function stateOf({ result, isOver }: ToolCall): CallState {
  if (!result) return isOver ? 'not run' : 'running';
  if (result.isError) return 'failed';
  return result.toolName === 'check' && /^[1-9]\d* error/.test(result.summary)
    ? 'problems'
    : 'done';
}

function isFine(call: ToolCall): boolean {
  return stateOf(call) === 'done';
}
