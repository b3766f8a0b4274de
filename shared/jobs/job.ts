import type { SearchAttribute } from './attribute-names.ts';
import type { FailureCode } from './failures.ts';
import type { HaltReason, Result } from './result.ts';
import type { Plan } from './waiting-schemas.ts';
import type { Answer, Wait, WaitingFor } from './waiting.ts';

/**
 * The contract of a job: names and shapes that the API, the workflow, the activities,
 * the CLI and scripts share. A job's id is its workflow id.
 */

export const JOB_WORKFLOW = 'agentJob';

/** The task queue of model calls, beside that of everything else. */
export function modelQueue(taskQueue: string): string {
  return `${taskQueue}-model`;
}

export const JOB_QUERY = 'job';
/** Characters of an instruction, over HTTP and by signal. */
export const MAX_PROMPT = 100_000;

export type JobStatus = 'active' | 'completed' | 'failed';

export interface Todo {
  id: string;
  content: string;
  status: 'pending' | 'in_progress' | 'completed' | 'cancelled';
  priority: 'high' | 'medium' | 'low';
}

/** An instruction as it waits in the workflow: by id if it is stored, else with its text. */
export interface WaitingInstruction {
  messageId: string;
  prompt?: string;
  /** It is a decision that a signal has brought; one that is stored has it in its row. */
  answer?: Answer;
}

/** What the workflow is started with; also what it continues as new with, then with `carried`. */
export interface JobInput {
  jobId: string;
  /** What the workflow needs of the configuration, fixed for the run so that replays agree. */
  limits: JobLimits;
  /** Of the run before. */
  carried?: Carried;
  /** The run that this one replaces, where Temporal has lost it; the row is still that run's. */
  replaces?: string;
  /** The search attributes that the server has; absent: those of 0.1.0. */
  attributes?: SearchAttribute[];
}

export interface JobLimits {
  maxSteps: number;
  maxTokens: number;
  maxRepeats: number;
  maxRepairRounds: number;
  maxTurnMs: number;
  maxQueue: number;
  archiveAfterMs: number;
  /** 0: only when Temporal suggests it. */
  continueAsNewAfterTurns: number;
  heartbeatSeconds: number;
}

/** How many message ids travel into the next run. */
export const SEEN_IDS_KEPT = 200;

/**
 * What of a job its row and its workflow both know. A new one is a line here, one in
 * `newJobFields` and a column of its name: state, row, query and replacement follow.
 */
export interface JobFields {
  transcriptHead: string | null;
  workspaceHead: string | null;
  todos: Todo[];
  title: string | null;
  /** The branch that the job works on; `ref` once it is pushed. */
  branch: string | null;
  ref: string | null;
  prLink: string | null;
  prNumber: number | null;
  model: string | null;
  haltReason: HaltReason | null;
  messageToUser: string | null;
  /** Only counts while the job is idle. */
  waitingFor: WaitingFor | null;
}

/** Of a job that has just begun. */
export function newJobFields(): JobFields {
  return {
    transcriptHead: null,
    workspaceHead: null,
    todos: [],
    title: null,
    branch: null,
    ref: null,
    prLink: null,
    prNumber: null,
    model: null,
    haltReason: null,
    messageToUser: null,
    waitingFor: null,
  };
}

export const JOB_FIELDS = Object.keys(newJobFields()) as (keyof JobFields)[];

/** The fields of a row, a state or an answer, without what else it has. */
export function jobFieldsOf(job: JobFields): JobFields {
  return Object.fromEntries(JOB_FIELDS.map(name => [name, job[name]])) as unknown as JobFields;
}

/** The workflow's whole state between turns. Small: ids and counters, never content. */
export interface DurableState extends JobFields {
  status: JobStatus;
  /** Instructions that no step has read yet, in the order in which their signals came. */
  inbox: WaitingInstruction[];
  /** The newest message ids seen, so that a repeated signal is ignored. */
  seen: string[];
  /** How many instructions came without an id. */
  unnamed: number;
  turn: number;
  /** What came of the last turn. */
  outcome?: Result;
  at: { epoch: number; n: number };
  startFrom: 'workspace' | 'published';
  /** Workflow time (ms) at which an idle job archives itself. */
  archiveAt: number | null;
  /** While it waits for a person. */
  wait: Wait | null;
  /** Came after the turn's end and before this run. */
  cancelRequested: boolean;
  archiveRequested: boolean;
}

/** The durable state as it continues as new: what waits is stored, so that its ids are enough. */
export type Carried<Durable extends DurableState = DurableState> = Omit<Durable, 'inbox'> & {
  queue: string[];
};

/** Answer of the query `job`. */
export interface JobView extends JobFields {
  jobId: string;
  /** The run that answers, and the one that it continues as new. */
  runId: string;
  continuedFrom: string | null;
  status: JobStatus;
  /**
   * No turn runs. The status may still be `active`: the last turn saw an instruction that waited,
   * and its signal has not come yet.
   */
  isWaiting: boolean;
  epoch: number;
  n: number;
  turn: number;
  step: number;
  queue: number;
  /** Those of the queue that came by signal and are not stored yet; absent from 0.1.0. */
  unstored?: number;
  archivedAt: string | null;
}

/** Something that the checks found and nobody has fixed. */
export interface LeftFinding {
  path: string;
  /** 1-based; null if the whole file is meant. */
  line: number | null;
  rule: string;
  message: string;
}

/**
 * Progress events, in the order in which they are stored. `text` is whole, per finished model call.
 */
export type JobEvent =
  | { type: 'status'; status: JobStatus; turn: number }
  | {
      type: 'instruction';
      messageId: string;
      prompt: string;
      /** Attached images. */
      uploads?: { id: string; name: string }[];
      /** A decision for which the job waited. */
      answer?: Answer['verb'];
      turn: number;
    }
  | { type: 'text'; text: string; turn: number; step: number; attempt: number }
  | {
      type: 'tool_call';
      toolCallId: string;
      toolName: string;
      args: Record<string, unknown>;
      turn: number;
      step: number;
    }
  | {
      type: 'tool_result';
      toolCallId: string;
      toolName: string;
      summary: string;
      isError: boolean;
      /** Set if the call changed files. */
      changed?: true;
      /** Rules of the policy that refused the call. */
      refusedBy?: string[];
      turn: number;
      step: number;
    }
  | { type: 'todos'; todos: Todo[] }
  | { type: 'plan'; plan: Plan; turn: number; step: number }
  /** An idle job waits for a person: it began to, it still does, or nobody came. */
  | {
      type: 'waiting';
      waitingFor: WaitingFor;
      state: 'began' | 'reminded' | 'ended';
      turn: number;
    }
  | {
      type: 'checks';
      findings: LeftFinding[];
      turn: number;
    }
  | { type: 'commit'; commit: string; branch: string; turn: number }
  | {
      type: 'pull_request';
      prLink: string;
      title: string;
      state: 'opened' | 'updated';
      turn: number;
    }
  /** An attempt failed and is made again; once for each reason in a row. */
  | { type: 'retry'; reason: string; attempt: number; turn: number; step: number }
  | { type: 'rewound'; epoch: number; turn: number; step: number }
  | { type: 'error'; message: string; turn: number }
  | {
      type: 'finish';
      status: JobStatus;
      haltReason: HaltReason;
      messageToUser: string;
      prLink: string | null;
      /** What came of the turn; absent if a worker of 0.1.0 wrote it. */
      outcome?: Result;
      /** Why it failed. */
      code?: FailureCode;
      /** Set if a person cancelled the turn. */
      cancelled?: true;
      turn: number;
    };

/** An event as the dashboard reads it; `at`: when it was stored, in Unix milliseconds. */
export type TimedEvent = JobEvent & { at: number };

/**
 * Text of a model call that still runs, in passing: never stored, and void once the call is made
 * again (a greater
 * `attempt`) or its whole `text` event has come. Announced by NOTIFY on channel "job_deltas", with
 * the job's id.
 */
export interface TextDelta {
  type: 'text_delta';
  /** May be '': the model thinks, or writes the input of a tool. */
  text: string;
  /** About how many tokens the call has brought so far, thoughts and inputs of tools included. */
  tokens: number;
  turn: number;
  step: number;
  attempt: number;
}
