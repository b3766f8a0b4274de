import { workflowInfo } from '@temporalio/workflow';
import type { Position, Stamp } from '../activities/types.ts';
import type {
  CarriedState,
  HaltReason,
  JobInput,
  JobStatus,
  JobView,
  Todo,
  WaitingInstruction,
} from '../shared/jobs/job.ts';

const SEEN_IDS_KEPT = 200;

/**
 * Everything that the workflow knows between two activities. Handlers change it; nothing else is
 * kept.
 */
export interface JobState {
  readonly jobId: string;
  status: JobStatus;
  /** Instructions that no step has read yet, in the order in which their signals came. */
  inbox: WaitingInstruction[];
  seen: string[];
  /** How many instructions came without an id. */
  unnamed: number;
  transcriptHead: string | null;
  workspaceHead: string | null;
  turn: number;
  step: number;
  todos: Todo[];
  title: string | null;
  branch: string | null;
  ref: string | null;
  prLink: string | null;
  prNumber: number | null;
  model: string | null;
  haltReason: HaltReason | null;
  messageToUser: string | null;
  at: Stamp;
  startFrom: 'workspace' | 'published';
  /** From here a cancel is too late: what is planned goes out. */
  publishing: boolean;
  cancelRequested: boolean;
  archiveRequested: boolean;
  archiveAt: number | null;
  archivedAt: string | null;
  ignoredSignals: string[];
  turnsInThisRun: number;
  /** What the search attributes say, so that they are written on change only. */
  listed: { status: string; prLink: string | null };
}

export function newState(input: JobInput): JobState {
  const carried = input.carried;
  return {
    jobId: input.jobId,
    status: carried?.status ?? 'active',
    inbox: carried?.queue.map(messageId => ({ messageId })) ?? [],
    seen: carried?.seen ?? [],
    unnamed: carried?.unnamed ?? 0,
    transcriptHead: carried?.transcriptHead ?? null,
    workspaceHead: carried?.workspaceHead ?? null,
    turn: carried?.turn ?? 0,
    step: 0,
    todos: carried?.todos ?? [],
    title: carried?.title ?? null,
    branch: carried?.branch ?? null,
    ref: carried?.ref ?? null,
    prLink: carried?.prLink ?? null,
    prNumber: carried?.prNumber ?? null,
    model: carried?.model ?? null,
    haltReason: carried?.haltReason ?? null,
    messageToUser: carried?.messageToUser ?? null,
    at: carried?.at ?? { epoch: 0, n: 0 },
    startFrom: carried?.startFrom ?? 'workspace',
    publishing: false,
    cancelRequested: carried?.cancelRequested ?? false,
    archiveRequested: carried?.archiveRequested ?? false,
    archiveAt: carried?.archiveAt ?? null,
    archivedAt: null,
    ignoredSignals: [],
    turnsInThisRun: 0,
    listed: { status: '', prLink: null },
  };
}

/**
 * What the next run starts with. Every waiting instruction must be stored by now: only its id
 * travels.
 */
export function carry(job: JobState): CarriedState {
  return {
    status: job.status,
    queue: job.inbox.map(item => item.messageId),
    seen: job.seen.slice(-SEEN_IDS_KEPT),
    unnamed: job.unnamed,
    transcriptHead: job.transcriptHead,
    workspaceHead: job.workspaceHead,
    turn: job.turn,
    todos: job.todos,
    title: job.title,
    branch: job.branch,
    ref: job.ref,
    prLink: job.prLink,
    prNumber: job.prNumber,
    model: job.model,
    haltReason: job.haltReason,
    messageToUser: job.messageToUser,
    at: job.at,
    startFrom: job.startFrom,
    archiveAt: job.archiveAt,
    cancelRequested: job.cancelRequested,
    archiveRequested: job.archiveRequested && job.inbox.length === 0,
  };
}

/** The answer of the query `job`. */
export function view(job: JobState): JobView {
  const { runId, continuedFromExecutionRunId } = workflowInfo();
  return {
    jobId: job.jobId,
    runId,
    continuedFrom: continuedFromExecutionRunId ?? null,
    transcriptHead: job.transcriptHead,
    workspaceHead: job.workspaceHead,
    status: job.status,
    epoch: job.at.epoch,
    n: job.at.n,
    turn: job.turn,
    step: job.step,
    queue: job.inbox.length,
    title: job.title,
    ref: job.ref,
    // Null whenever the job is active, by the interface.
    prLink: job.status === 'active' ? null : job.prLink,
    model: job.model,
    haltReason: job.status === 'active' ? null : job.haltReason,
    messageToUser: job.status === 'active' ? null : job.messageToUser,
    todos: job.todos,
    archivedAt: job.archivedAt,
  };
}

/**
 * Takes in instructions that an activity names, before all that came since. Their signals may have
 * come first, or come yet: each is taken once.
 */
export function enqueue(job: JobState, instructions: WaitingInstruction[]): void {
  const unknown = instructions.filter(
    ({ messageId }) => !job.inbox.some(item => item.messageId === messageId),
  );
  job.inbox.unshift(...unknown);
  job.seen.push(...unknown.map(item => item.messageId).filter(id => !job.seen.includes(id)));
}

/** Where the job stands, for the next activity. */
export function position(job: JobState): Position {
  return {
    jobId: job.jobId,
    turn: job.turn,
    step: job.step,
    transcriptHead: job.transcriptHead,
    workspaceHead: job.workspaceHead,
    continuedFrom: workflowInfo().continuedFromExecutionRunId ?? null,
  };
}

/** Takes over what an activity gave back. */
export function move(
  job: JobState,
  moved: { transcriptHead: string | null; workspaceHead: string | null; at: Stamp },
): void {
  job.transcriptHead = moved.transcriptHead;
  job.workspaceHead = moved.workspaceHead;
  job.at = moved.at;
}
