import type { JobEvent } from '../../../../shared/jobs/job.ts';
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
  /** How long it took; undefined without a result. */
  ms: number | undefined;
  /** Unix milliseconds. */
  beganAt: number;
  endedAt: number | undefined;
}

/** Where steps begin and end, and the calls that wait for a result. */
export class Steps {
  readonly #calls = new Map<string, ToolCall>();
  readonly #isOver: boolean;
  #newest: StepStart | undefined;
  #began = 0;

  constructor(isOver: boolean) {
    this.#isOver = isOver;
  }

  open({ seq, event, at }: NumberedEvent & { event: Of<'tool_call'> }): ToolCall {
    const start = this.startOf(seq, event);
    const call = {
      ...{ call: event, result: undefined, isOver: this.#isOver, start },
      ...{ ms: undefined, beganAt: at, endedAt: undefined },
    };
    this.#began = at;
    this.#calls.set(event.toolCallId, call);
    return call;
  }

  /** Calls of a step run one after the other, so one begins where the one before it ended. */
  close(event: Of<'tool_result'>, at: number): void {
    const call = this.#calls.get(event.toolCallId);
    if (call)
      Object.assign(call, { result: event, ms: Math.max(0, at - this.#began), endedAt: at });
    this.#began = at;
  }

  /** Undefined unless the event is the first of its step. */
  startOf(seq: number, { turn, step }: { turn: number; step: number }): StepStart | undefined {
    if (this.#newest?.turn === turn && this.#newest.step === step) return undefined;
    this.#newest = { turn, step, seq };
    this.end();
    return this.#newest;
  }

  end(): void {
    for (const call of this.#calls.values()) call.isOver = true;
  }
}
