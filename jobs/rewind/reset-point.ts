import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { temporal as proto } from '@temporalio/proto';
import { randomUUID } from 'node:crypto';
import type { RewindPoint } from '../../db/jobs/rewind.ts';
import type { JobInput, WaitingInstruction } from '../../shared/jobs/job.ts';
import { SIGNALS } from '../../shared/jobs/signals.ts';
import { receiveMessage, withUpdateId } from '../../workflows/receive-signals.ts';

type Event = proto.api.history.v1.IHistoryEvent;
type EventId = NonNullable<Event['eventId']>;

/** The activity that begins a step. */
const STEP_ACTIVITY = 'callModel';
/** Without one the client keeps trying for half a minute while the server is away. */
const DEADLINE_MS = 5_000;
// temporal.api.enums.v1.ResetReapplyExcludeType: signals, updates, cancel requests; and none of
// ResetReapplyType.
const LEFT_OUT = [1, 2, 4];
const REAPPLY_NOTHING = 2;

/** Where in a job's histories a step begins. */
export interface ResetPoint {
  runId: string;
  /** The workflow task that asked for the step. */
  eventId: EventId;
  /** What the step was to start from. */
  position: RewindPoint;
}

/**
 * Looks for a step in the job's newest history, then in those that it continues. Undefined if no
 * kept history has it.
 */
export async function findStep(
  temporal: Client,
  jobId: string,
  turn: number,
  step: number,
): Promise<ResetPoint | undefined> {
  for await (const { runId, events } of histories(temporal, jobId)) {
    const asked = events.findLast(event => isStep(event, turn, step));
    const eventId = asked?.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId;
    if (asked && eventId) {
      const { transcriptHead, workspaceHead } = stepInput(asked) as RewindPoint;
      return { runId, eventId, position: { jobId, turn, step, transcriptHead, workspaceHead } };
    }
  }
  return undefined;
}

/** The steps of a turn that `findStep` would find, in order. */
export async function stepsOf(temporal: Client, jobId: string, turn: number): Promise<number[]> {
  const steps = new Set<number>();
  for await (const { events } of histories(temporal, jobId)) {
    for (const event of events) {
      const input = isCall(event) ? stepInput(event) : undefined;
      if (input?.turn === turn && input.step !== undefined) steps.add(input.step);
    }
  }
  return [...steps].toSorted((a, b) => a - b);
}

/** The job's newest history, then those that it continues, as far as they are kept. */
async function* histories(
  temporal: Client,
  jobId: string,
): AsyncGenerator<{ runId: string; events: Event[] }> {
  let runId = await newestRun(temporal, jobId);
  while (runId !== undefined) {
    const events = await readHistory(temporal, jobId, runId);
    yield { runId, events };
    runId =
      events[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
  }
}

/**
 * The instructions that signals and updates brought after a point, in its run and in those that continued it,
 * under the ids that the workflow gave them. Asked after the reset, which has closed these
 * histories: none can come any more.
 */
export async function instructionsAfter(
  temporal: Client,
  point: ResetPoint,
): Promise<WaitingInstruction[]> {
  const later: WaitingInstruction[] = [];
  for (let runId: string | undefined = point.runId; runId !== undefined;) {
    const events = await readHistory(temporal, point.position.jobId, runId);
    const carried = (
      decoded(events[0]?.workflowExecutionStartedEventAttributes?.input) as JobInput | undefined
    )?.carried;
    const received = {
      seen: [...(carried?.seen ?? [])],
      unnamed: carried?.unnamed ?? 0,
      inbox: [] as WaitingInstruction[],
    };
    for (const event of events) {
      const before = received.inbox.length;
      receiveMessage(received, messageIn(event), Infinity);
      if (runId !== point.runId || Number(event.eventId) > Number(point.eventId))
        later.push(...received.inbox.slice(before));
    }
    runId =
      events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || undefined;
  }
  return later;
}

/**
 * Resets the job's workflow to just before a step, leaving out every later signal and update. Returns the new
 * run's id.
 */
export async function resetTo(temporal: Client, jobId: string, point: ResetPoint): Promise<string> {
  const { runId } = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflowService.resetWorkflowExecution({
      namespace: temporal.options.namespace,
      workflowExecution: { workflowId: jobId, runId: point.runId },
      workflowTaskFinishEventId: point.eventId,
      reason: `rewound to step ${point.position.turn}.${point.position.step}`,
      requestId: randomUUID(),
      resetReapplyType: REAPPLY_NOTHING,
      resetReapplyExcludeTypes: LEFT_OUT,
    }),
  );
  return runId;
}

async function newestRun(temporal: Client, jobId: string): Promise<string | undefined> {
  try {
    return (
      await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
        temporal.workflow.getHandle(jobId).describe(),
      )
    ).runId;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Empty if Temporal has deleted it. */
async function readHistory(temporal: Client, workflowId: string, runId: string): Promise<Event[]> {
  const events: Event[] = [];
  let nextPageToken: Uint8Array = new Uint8Array();
  try {
    do {
      const page = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
        temporal.workflowService.getWorkflowExecutionHistory({
          namespace: temporal.options.namespace,
          execution: { workflowId, runId },
          nextPageToken,
        }),
      );
      for (const event of page.history?.events ?? []) {
        await decrypt(temporal, event);
        events.push(event);
      }
      nextPageToken = page.nextPageToken ?? new Uint8Array();
    } while (nextPageToken.length > 0);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return events;
}

/** In place, what `decoded` reads. */
async function decrypt(temporal: Client, event: Event): Promise<void> {
  const { payloadCodecs } = temporal.options.loadedDataConverter;
  const update =
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ??
    event.workflowExecutionUpdateAdmittedEventAttributes?.request;
  for (const input of [
    event.workflowExecutionStartedEventAttributes?.input,
    event.workflowExecutionSignaledEventAttributes?.input,
    event.activityTaskScheduledEventAttributes?.input,
    update?.input?.args,
  ])
    for (const codec of payloadCodecs)
      if (input?.payloads) input.payloads = await codec.decode(input.payloads);
}

/** Whether Temporal has no such workflow, or no such run of it (any more). */
export function isNotFound(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || (error as { code?: unknown }).code === 5;
}

/** The input of `message`, by a signal or an update; undefined if the event is neither. */
function messageIn(event: Event): unknown {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal?.signalName === SIGNALS.message) return decoded(signal.input);
  const update =
    event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ??
    event.workflowExecutionUpdateAdmittedEventAttributes?.request; // repeated by a reset
  return update?.input?.name === SIGNALS.message
    ? withUpdateId(decoded(update.input.args), update.meta?.updateId)
    : undefined;
}

function isStep(event: Event, turn: number, step: number): boolean {
  const input = isCall(event) ? stepInput(event) : undefined;
  return input?.turn === turn && input.step === step;
}

function isCall(event: Event): boolean {
  return event.activityTaskScheduledEventAttributes?.activityType?.name === STEP_ACTIVITY;
}

function stepInput(event: Event): Partial<RewindPoint> | undefined {
  return decoded(event.activityTaskScheduledEventAttributes?.input) as
    Partial<RewindPoint> | undefined;
}

/** A script's signal can contain anything. */
function decoded(payloads: proto.api.common.v1.IPayloads | null | undefined): unknown {
  const data = payloads?.payloads?.[0]?.data;
  try {
    return data ? JSON.parse(Buffer.from(data).toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}
