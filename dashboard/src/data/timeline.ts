import type { JobEvent } from '../../../shared/jobs/job.ts';
import type { NumberedEvent } from './job-events.ts';

type Of<T extends JobEvent['type']> = Extract<JobEvent, { type: T }>;

/** A step, and the number of the first event that it left: where a rewind to it cuts. */
export interface StepStart {
  turn: number;
  step: number;
  seq: number;
}

/**
 * `start`: the call is the first that its step shows. `isOver`: its step is, so that without a
 * result it was not run, and never will be.
 */
export interface ToolCall {
  call: Of<'tool_call'>;
  result: Of<'tool_result'> | undefined;
  isOver: boolean;
  start: StepStart | undefined;
}

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
  | { type: 'finish'; finish: Of<'finish'>; start: StepStart | undefined }
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
 * Whether an event is the first thing that a rewind to a step takes back. What is no step's own
 * goes with the step before it.
 */
function isUndone(event: JobEvent, to: Of<'rewound'>): boolean {
  if (event.type === 'rewound' || !('turn' in event)) return false;
  return (
    event.turn > to.turn || ('step' in event && event.turn === to.turn && event.step >= to.step)
  );
}

function itemsOf(
  events: readonly NumberedEvent[],
  undone: ReadonlyMap<number, readonly NumberedEvent[]>,
  isOver = false,
): TimelineItem[] {
  const items: TimelineItem[] = [];
  const open = new Map<string, ToolCall>();
  let newest: StepStart | undefined;
  const endStep = () => {
    for (const call of open.values()) call.isOver = true;
  };
  const startOf = (
    seq: number,
    { turn, step }: { turn: number; step: number },
  ): StepStart | undefined => {
    if (newest?.turn === turn && newest.step === step) return undefined;
    newest = { turn, step, seq };
    endStep();
    return newest;
  };
  for (const { seq, event } of events) {
    switch (event.type) {
      case 'tool_call': {
        const call: ToolCall = {
          call: event,
          result: undefined,
          isOver,
          start: startOf(seq, event),
        };
        open.set(event.toolCallId, call);
        const last = items.at(-1);
        if (last?.type === 'tools') last.calls.push(call);
        else items.push({ seq, type: 'tools', calls: [call] });
        break;
      }
      case 'tool_result': {
        const call = open.get(event.toolCallId);
        if (call) call.result = event;
        break;
      }
      case 'text':
        items.push({ seq, type: 'text', text: event.text, start: startOf(seq, event) });
        break;
      case 'instruction':
        items.push({ seq, type: 'instruction', instruction: event });
        break;
      case 'checks':
        items.push({ seq, type: 'checks', findings: event.findings });
        break;
      case 'commit':
        items.push({ seq, type: 'commit', commit: event });
        break;
      case 'pull_request':
        items.push({ seq, type: 'pull_request', pullRequest: event });
        break;
      case 'rewound':
        items.push({
          seq,
          type: 'rewound',
          turn: event.turn,
          step: event.step,
          undone: itemsOf(undone.get(seq) ?? [], undone, true),
        });
        break;
      case 'error':
        items.push({ seq, type: 'error', message: event.message });
        break;
      case 'finish':
        endStep();
        items.push({
          seq,
          type: 'finish',
          finish: event,
          start: takeTwin(items, event.messageToUser),
        });
        break;
      case 'status':
      case 'todos':
        break; // shown beside the story
    }
  }
  return items;
}

/** A turn may end in what was said last, or in its error: it is told once, as the outcome. */
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
