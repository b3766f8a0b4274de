import type { StoredEvent } from '../../db/jobs/events.ts';
import type { JobEvent, TextDelta } from '../../shared/jobs/job.ts';

export const DATA_STREAM_HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
  'x-vercel-ai-data-stream': 'v1',
};

export interface DataStreamOptions {
  jobId: string;
  /**
   * The client knows the code `f` (releases from 4.1.20 on, which send `parts`); older ones throw
   * at it.
   */
  parts: boolean;
  /** Tokens of the whole job, once it rests. */
  usage(): Promise<{ promptTokens: number; completionTokens: number }>;
}

type Line = [code: string, value: unknown];

/** An empty line is the only thing that every release skips. */
const SKIPPED = '\n';
const NO_USAGE = { promptTokens: 0, completionTokens: 0 };

/**
 * A job's progress in the chat SDK's data stream, version 4: text, tool calls and their results;
 * everything else as data parts. After each step comes the number of its last event, from which the
 * events endpoint continues.
 */
export async function* jobDataStream(
  progress: AsyncIterable<StoredEvent | TextDelta | null>,
  options: DataStreamOptions,
): AsyncGenerator<string> {
  yield SKIPPED; // the first byte: the headers, which name the session, leave with it
  const stream = new StepWriter(options);
  let last: { seq: number; finish: (JobEvent & { type: 'finish' }) | undefined } = {
    seq: 0,
    finish: undefined,
  };
  for await (const stored of progress) {
    if (!stored) yield SKIPPED;
    // Nothing in this stream can be taken back, so it carries stored events only.
    if (!stored || !('seq' in stored)) continue;
    yield encode(stream.write(stored.event, last.seq));
    last = { seq: stored.seq, finish: stored.event.type === 'finish' ? stored.event : undefined };
  }
  // The process closes, or the reader has left: the events endpoint continues from here.
  if (!last.finish) return;
  const end = {
    finishReason: last.finish.status === 'completed' ? 'stop' : 'error',
    usage: await options.usage(),
  };
  yield encode([
    ['2', [{ type: 'event', id: last.seq }]],
    ['e', { ...end, isContinued: false }],
    ['d', end],
  ]);
}

function encode(lines: Line[]): string {
  return lines.map(([code, value]) => `${code}:${JSON.stringify(value)}\n`).join('');
}

/** Turns events into lines, and tracks which step is open. */
class StepWriter {
  readonly #options: DataStreamOptions;
  readonly #called = new Set<string>();
  #step: string | undefined;
  #said = '';

  constructor(options: DataStreamOptions) {
    this.#options = options;
  }

  write(event: JobEvent, previous: number): Line[] {
    switch (event.type) {
      case 'text':
        this.#said = event.text;
        return [...this.#enter(`${event.turn}.${event.step}`, previous), ['0', event.text]];
      case 'tool_call':
        this.#called.add(event.toolCallId);
        return [
          ...this.#enter(`${event.turn}.${event.step}`, previous),
          ['9', { toolCallId: event.toolCallId, toolName: event.toolName, args: event.args }],
        ];
      case 'tool_result':
        // A result without its call would end the client's reading.
        return this.#called.has(event.toolCallId)
          ? [
              [
                'a',
                {
                  toolCallId: event.toolCallId,
                  result: { summary: event.summary, isError: event.isError },
                },
              ],
            ]
          : [];
      case 'finish':
        return this.#finish(event, previous);
      default:
        return [['2', [event]]];
    }
  }

  /**
   * The outcome is text of a step of its own: a hook that finds finished tools in the last step may
   * send the conversation again.
   */
  #finish(event: JobEvent & { type: 'finish' }, previous: number): Line[] {
    const repeated = event.messageToUser.trim() === this.#said.trim();
    return [
      ...this.#enter(`${event.turn}.end`, previous),
      ...(repeated || event.messageToUser === ''
        ? []
        : [['0', event.messageToUser] satisfies Line]),
      ['2', [event]],
    ];
  }

  #enter(step: string, previous: number): Line[] {
    if (this.#step === step) return [];
    const before: Line[] =
      this.#step === undefined
        ? []
        : [
            [
              'e',
              {
                finishReason: this.#step.endsWith('.end') ? 'stop' : 'tool-calls',
                usage: NO_USAGE,
                isContinued: false,
              },
            ],
            ['2', [{ type: 'event', id: previous }]],
          ];
    this.#step = step;
    return this.#options.parts
      ? [...before, ['f', { messageId: `${this.#options.jobId}-${step}` }]]
      : before;
  }
}
