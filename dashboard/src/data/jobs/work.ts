import type { ToolCall } from './steps.ts';
import type { TimelineItem } from './timeline.ts';

type Said = Extract<TimelineItem, { type: 'text' | 'tools' }>;

/** Texts and calls of the agent in a row, folded into one line. */
export interface Work {
  seq: number;
  type: 'work';
  items: Said[];
  calls: ToolCall[];
}

/** So many calls in a row fold: fewer are read as quickly as their summary. */
const FOLDED_FROM = 9;
/** The newest calls of a running job stay in sight. */
const IN_SIGHT = 3;
/** So many calls of the same tool in a row fold within their list. */
const SAME_FROM = 3;

/** The items with long stretches of work folded. `busy`: the last stretch continues. */
export function foldWork(items: readonly TimelineItem[], busy: boolean): (TimelineItem | Work)[] {
  const rows: (TimelineItem | Work)[] = [];
  let stretch: Said[] = [];
  const flush = (isLast: boolean) => {
    rows.push(...fold(stretch, isLast && busy ? IN_SIGHT : 0));
    stretch = [];
  };
  for (const item of items) {
    if (item.type === 'text' || item.type === 'tools') stretch.push(item);
    else {
      flush(false);
      rows.push(item);
    }
  }
  flush(true);
  return rows;
}

function fold(stretch: Said[], inSight: number): (Said | Work)[] {
  const [first] = stretch;
  const all = callsOf(stretch);
  if (!first || all.length < FOLDED_FROM) return stretch;
  const shown: Said[] = [];
  const hidden = [...stretch];
  let left = inSight;
  while (left > 0) {
    const last = hidden.pop();
    if (!last) break;
    if (last.type === 'tools' && last.calls.length > left) {
      hidden.push({ ...last, calls: last.calls.slice(0, -left) });
      shown.unshift({ ...last, seq: last.seq + 0.5, calls: last.calls.slice(-left) });
      break;
    }
    shown.unshift(last);
    left -= last.type === 'tools' ? last.calls.length : 0;
  }
  return [{ seq: first.seq, type: 'work', items: hidden, calls: callsOf(hidden) }, ...shown];
}

function callsOf(items: readonly Said[]): ToolCall[] {
  return items.flatMap(item => (item.type === 'tools' ? item.calls : []));
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
