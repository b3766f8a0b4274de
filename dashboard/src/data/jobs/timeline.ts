import type { JobEvent } from '../../../../shared/jobs/job.ts';
import type { NumberedEvent } from './job-events.ts';
import type { Result } from '../../../../shared/jobs/result.ts';
import { type StepStart, Steps, type ToolCall } from './steps.ts';

type Of<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>;

/** What became of a plan; `lapsed`: nobody decided in time. */
type PlanEnd = 'planned' | 'approved' | 'not_approved' | 'replaced' | 'lapsed';

/**
 * What came of a turn. `taken_back`: it changed nothing, and what a rewind undid went from the pull
 * request.
 */
export type TurnEnd = Result | PlanEnd | 'taken_back';

/** What a job's page shows, top to bottom. */
export type TimelineItem = { seq: number } & (
  | { type: 'instruction'; instruction: Of<'instruction'> }
  | { type: 'text'; text: string; start: StepStart | undefined }
  | { type: 'tools'; calls: ToolCall[] }
  | { type: 'checks'; findings: Of<'checks'>['findings'] }
  | { type: 'commit'; commit: Of<'commit'> }
  | { type: 'pull_request'; pullRequest: Of<'pull_request'> }
  | { type: 'rewound'; turn: number; step: number; undone: TimelineItem[] }
  | { type: 'error'; message: string }
  | { type: 'waiting'; waiting: Of<'waiting'> }
  | { type: 'retry'; reason: string }
  | { type: 'finish'; finish: Of<'finish'>; end: TurnEnd | undefined; start: StepStart | undefined }
);

export interface Story {
  items: TimelineItem[];
  /** The events that still hold: what a rewind undid is only in its item. */
  events: readonly NumberedEvent[];
}

/**
 * Events as a story: what was undone is folded away, calls meet their results, and calls in a row
 * stand together.
 */
export function storyOf(all: readonly NumberedEvent[]): Story {
  const undone = new Map<number, readonly NumberedEvent[]>();
  const events: NumberedEvent[] = [];
  for (const numbered of all) {
    const { event } = numbered;
    if (event.type === 'rewound') {
      const from = events.findIndex(each => isUndone(each.event, event));
      undone.set(numbered.seq, from < 0 ? [] : events.splice(from));
    }
    events.push(numbered);
  }
  return { items: itemsOf(events, undone), events };
}

/**
 * Whether an event is the first thing that a rewind to a step takes back. An event
 * outside every step belongs to the step before it.
 */
function isUndone(event: JobEvent, to: Of<'rewound'>): boolean {
  if (event.type === 'rewound' || !('turn' in event)) return false;
  return (
    event.turn > to.turn || ('step' in event && event.turn === to.turn && event.step >= to.step)
  );
}

type Undone = ReadonlyMap<number, readonly NumberedEvent[]>;

function itemsOf(events: readonly NumberedEvent[], undone: Undone, isOver = false): TimelineItem[] {
  const items: TimelineItem[] = [];
  const steps = new Steps(isOver);
  for (const { seq, event, at } of events) {
    switch (event.type) {
      case 'tool_call': {
        const call = steps.open({ seq, event, at });
        const last = items.at(-1);
        if (last?.type === 'tools') last.calls.push(call);
        else items.push({ seq, type: 'tools', calls: [call] });
        break;
      }
      case 'tool_result':
        steps.close(event, at);
        break;
      case 'text':
        items.push({ seq, type: 'text', text: event.text, start: steps.startOf(seq, event) });
        break;
      case 'finish': {
        steps.end();
        const start = takeTwin(items, event.messageToUser);
        const { outcome, turn } = event;
        const end =
          outcome === 'published' && isTakenBack(turn, events)
            ? 'taken_back'
            : (outcome === 'answered' && planEnd(turn, events)) || outcome;
        items.push({ seq, type: 'finish', finish: event, end, start });
        break;
      }
      case 'status':
      case 'todos':
      case 'plan':
        break; // shown beside the story, or as the outcome of its turn
      case 'waiting':
        if (event.state !== 'began') items.push({ seq, type: 'waiting', waiting: event });
        break;
      default:
        items.push({ seq, ...itemOf(seq, event, undone) });
    }
  }
  return items;
}

type Alone = Of<
  'instruction' | 'checks' | 'commit' | 'pull_request' | 'rewound' | 'retry' | 'error'
>;
type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never;

/** The item of an event that depends on no other. */
function itemOf(seq: number, event: Alone, undone: Undone): WithoutSeq<TimelineItem> {
  switch (event.type) {
    case 'instruction':
      return { type: 'instruction', instruction: event };
    case 'checks':
      return { type: 'checks', findings: event.findings };
    case 'commit':
      return { type: 'commit', commit: event };
    case 'pull_request':
      return { type: 'pull_request', pullRequest: event };
    case 'rewound': {
      const { turn, step } = event;
      return { type: 'rewound', turn, step, undone: itemsOf(undone.get(seq) ?? [], undone, true) };
    }
    case 'retry':
      return { type: 'retry', reason: event.reason };
    case 'error':
      return { type: 'error', message: event.message };
  }
}

/** After a rewind into a turn: there is no edit in it, or before it, that was not published yet. */
function isTakenBack(turn: number, events: readonly NumberedEvent[]): boolean {
  const all = events.map(({ event }) => event);
  if (!all.some(event => event.type === 'rewound' && event.turn === turn)) return false;
  const before = all.findLastIndex(event => event.type === 'pull_request' && event.turn < turn);
  return !all
    .slice(before + 1)
    .some(event => event.type === 'tool_result' && event.turn <= turn && event.changed === true);
}

/** Of a turn that proposed a plan, or declined the one before. */
function planEnd(turn: number, numbered: readonly NumberedEvent[]): PlanEnd | undefined {
  const all = numbered.map(({ event }) => event);
  const word = (from: number) =>
    all.find(
      (event): event is Of<'instruction'> =>
        event.type === 'instruction' && event.turn >= from && event.answer !== 'raise',
    );
  if (!all.some(event => event.type === 'plan' && event.turn === turn))
    return word(turn)?.answer === 'decline' ? 'not_approved' : undefined;
  const next = word(turn + 1);
  if (next?.answer) return next.answer === 'approve' ? 'approved' : 'not_approved';
  if (next) return 'replaced';
  return all.some(
    event => event.type === 'waiting' && event.state === 'ended' && event.turn === turn,
  )
    ? 'lapsed'
    : 'planned';
}

/** A turn can end with its last text or its error. That text is shown once, as the outcome. */
function takeTwin(items: TimelineItem[], outcome: string): StepStart | undefined {
  const at = items.findLastIndex(
    ({ type }) => type !== 'checks' && type !== 'commit' && type !== 'pull_request',
  );
  const last = items[at];
  const said =
    last?.type === 'text' ? last.text : last?.type === 'error' ? last.message : undefined;
  if (said?.trim() !== outcome.trim()) return undefined;
  items.splice(at, 1);
  return last?.type === 'text' ? last.start : undefined;
}
