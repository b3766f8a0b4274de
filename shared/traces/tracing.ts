import { createHash } from 'node:crypto';

export type Attributes = Record<string, string | number | boolean>;

export interface Span {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes: Attributes;
  /** Begins a new part of this trace; otherwise the span belongs to the one that runs. */
  traceId?: string;
}

export interface OpenSpan {
  /** Runs `work` inside the span. */
  run<T>(work: () => T): T;
  /** `error`: its kind, never its message. */
  end(more?: { attributes?: Attributes; error?: string | undefined }): void;
}

/** What records spans; `open-tracing.ts` has the one that sends them to a collector. */
export interface Tracer {
  begin(span: Span): OpenSpan;
  currentTraceId(): string | undefined;
  /** Sends what is left. */
  close(): Promise<void>;
}

let tracer: Tracer | undefined;

/** Undefined unless an endpoint is set: nothing is loaded, recorded or sent then. */
export function currentTracer(): Tracer | undefined {
  return tracer;
}

/** One for the process, before its pools and servers are opened. */
export function useTracer(next: Tracer | undefined): void {
  tracer = next;
}

/** Runs `work` in a span, which ends with it. */
export async function traced<T>(span: Span, work: () => Promise<T>): Promise<T> {
  if (!tracer) return work();
  const open = tracer.begin(span);
  try {
    const result = await open.run(work);
    open.end();
    return result;
  } catch (error) {
    open.end({ error: kindOf(error) });
    throw error;
  }
}

/**
 * The trace of a job's turn, 32 hexadecimal digits. Derived, so that each worker knows it without a
 * header in any history, also after a replay or months of waiting.
 */
export function traceIdOfTurn(jobId: string, turn: number): string {
  return createHash('sha256').update(`${jobId}/${turn}`).digest('hex').slice(0, 32);
}

/** An error's code, failure type or class. */
function kindOf(error: unknown): string {
  const { code, type, name } = error as { code?: unknown; type?: unknown; name?: unknown };
  const kind = [code, type, name].find(each => typeof each === 'string');
  return typeof kind === 'string' ? kind : 'unknown';
}
