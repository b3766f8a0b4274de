import type { FailureCode } from './failures.ts';
import type { HaltReason, Result } from './result.ts';
import type { JobStatus, Todo, WaitingInstruction } from './job.ts';
import type { WaitingFor, WaitLength } from './waiting.ts';

/** Where a job stands: every activity gets it, and gives new heads back. */
export interface Position {
  jobId: string;
  turn: number;
  step: number;
  transcriptHead: string | null;
  workspaceHead: string | null;
  /** The run that this one continues as new; any other change of run is a rewind. */
  continuedFrom: string | null;
}

/** The version of the job's row after an activity. */
export interface Stamp {
  epoch: number;
  n: number;
}

export interface Moved {
  transcriptHead: string | null;
  workspaceHead: string | null;
  at: Stamp;
}

/**
 * The activity type of a call that names no tool of ours, or brings input that it does not take.
 */
export const INVALID_CALL = 'invalid_call';

export interface ToolUse {
  id: string;
  /** The activity type: the tool's name, or the text editor's command, or `invalid_call`. */
  type: string;
  /** The object of the verb, for the history. */
  summary: string;
  /** Equal for identical calls. */
  key: string;
}

export interface PrepareInput extends Position {
  /** `workspace`: continue with what is edited; `published`: drop what was never published. */
  startFrom: 'workspace' | 'published';
}

export interface Prepared extends Moved {
  branch: string;
  /** Paths where another person's change met ours; the model has a note about them. */
  conflicts: string[];
  ref: string | null;
  prLink: string | null;
  prNumber: number | null;
}

export interface ReadInput extends Position {
  instructions: WaitingInstruction[];
  /** The job's first activity: what the job came with is read, too. */
  beginsJob?: boolean;
  /** What the job is again where a turn was to begin with these, and all of them are withdrawn. */
  restsAs?: Exclude<JobStatus, 'active'>;
  /** What the job waited for: the first answer to it counts. */
  waitingFor?: WaitingFor;
}

export interface ReadOutcome extends Moved {
  /**
   * There was nothing to begin a turn with; `active` if another instruction's signal is on its
   * way.
   */
  rests?: JobStatus;
  /** The row was given up before the job began, so the workflow must end. */
  isGivenUp?: boolean;
  /** Read although the input does not name them: what the job came with, or what a restore lost. */
  alsoRead?: string[];
  /** A person declined what the job waited to have approved, and asked for nothing else. */
  declined?: true;
}

export interface ModelReply extends Moved {
  stopReason: string;
  /** What a server named instead of a reason that the API has. */
  stoppedBy?: string;
  model: string;
  /** The end of what the model said; whole text is in the transcript. */
  text: string;
  toolUses: ToolUse[];
  /**
   * Tokens that count toward the turn's limit: input that was not read from the cache, and output.
   */
  tokens: number;
}

/** A limit of the turn that is near, and what is left until there. */
export type LimitAhead =
  | { kind: 'steps' | 'tokens' | 'minutes'; left: number }
  /** One more call that changes nothing, or one more change that is taken back, ends the turn. */
  | { kind: 'repeats' };

export interface ToolInput extends Position {
  toolUse: ToolUse;
  repairRoundsLeft: number;
  /** The model gets them with the result. */
  limitsAhead?: LimitAhead[];
}

export interface ToolOutcome extends Moved {
  isError: boolean;
  summary: string;
  /** Of what is edited now, if the call changed it: the same again where the edits are. */
  edits?: string;
  /** `finish` was accepted. */
  finished: boolean;
  /** `ask`: the turn ends with its question, and nothing is published. */
  asked?: true;
  /** `propose_plan`: the turn ends with its plan. */
  planned?: true;
  todos?: Todo[];
}

export interface SettleInput extends Position {
  stopReason: string;
  stoppedBy?: string;
  /** The model was asked once whether it has finished. */
  wasAsked?: boolean;
  repairRoundsLeft: number;
}

export interface Settled extends Moved {
  /**
   * `again`: the model got a note on what to fix; `publish`: there is something to publish, or to
   * take back; `rest`: nothing was changed; `approval`: nothing, and a person may allow what the
   * policy refused.
   */
  next: 'again' | 'publish' | 'rest' | 'approval';
  /** The note asks whether the model has finished. */
  asked?: true;
  /** It did not say that it had: its edits are published as a draft that says so. */
  unfinished?: true;
}

export interface PlanInput extends Position {
  /** The workflow's clock, ms: the commit's time. */
  now: number;
  /** The branch that the turn was prepared for. */
  branch: string | null;
  unfinished?: boolean;
}

export type Planned =
  /** `asks`: a person may allow what the policy refused. */
  | {
      outcome: 'planned';
      publicationId: string;
      branch: string;
      title: string;
      asks?: true;
      at: Stamp;
    }
  | { outcome: 'nothing'; asks?: true; at: Stamp }
  /** The branch is elsewhere by now: prepare again. */
  | { outcome: 'moved'; at: Stamp }
  | { outcome: 'refused'; reasons: string[]; at: Stamp };

export interface PublishInput extends Position {
  publicationId: string;
}

export interface Pushed {
  ref: string;
  commit: string;
  at: Stamp;
}

export type Opened =
  | { outcome: 'published'; prLink: string; prNumber: number; title: string; at: Stamp }
  /** The pull request was merged or closed meanwhile: prepare again, on a new branch. */
  | { outcome: 'overtaken'; at: Stamp };

export interface ReportInput extends Position {
  status: Exclude<JobStatus, 'active'>;
  haltReason: HaltReason;
  /** The message for people; null: what the model said at the end of the turn. */
  message: string | null;
  /** Instructions that a cancel dropped. */
  dropped: WaitingInstruction[];
  /**
   * The turn's edits are taken back: the model must know, or it would carry out its instructions
   * again.
   */
  takenBack: boolean;
  cancelled: boolean;
  /** Why it failed; absent from what workers of 0.1.0 ask for. */
  code?: FailureCode;
  waitsFor?: WaitingFor;
}

export interface Reported {
  /** Stays active where an instruction has been stored that no signal has brought yet. */
  status: JobStatus;
  messageToUser: string;
  /** Absent from what 0.1.0 stored. */
  outcome?: Result;
  transcriptHead: string | null;
  /** As the row has them: a rewind takes back neither. */
  ref: string | null;
  prLink: string | null;
  /** How long it waits for a person. */
  waits?: WaitLength;
  /** The budget was raised before the job began to wait for it: the instruction that continues. */
  resumes?: string;
  at: Stamp;
}

export interface WaitInput extends Position {
  waitingFor: WaitingFor;
  ends: boolean;
}

/** `isOver`: nobody came in time. Someone may have come at the last moment. */
export interface WaitOutcome {
  isOver: boolean;
  messageToUser?: string;
  at: Stamp;
}

export interface ArchiveInput extends Position {
  status: JobStatus;
  /** Those that no turn has read. */
  waiting: WaitingInstruction[];
  /**
   * An operator ends the job: what waits is dropped. Else an instruction that waits keeps it open.
   */
  dropWaiting: boolean;
}

export interface Archived {
  /** Null: an instruction was stored whose signal is on its way, or overdue. */
  archivedAt: string | null;
  /** Those whose signal will not come any more: their senders died. */
  overdue?: WaitingInstruction[];
  at: Stamp;
}

/** The activities of a job, by their Temporal type; the tools' types are in `JobTools`. */
export interface JobActivities {
  prepare(input: PrepareInput): Promise<Prepared>;
  readInstructions(input: ReadInput): Promise<ReadOutcome>;
  storeInstructions(input: ReadInput): Promise<{ at: Stamp }>;
  callModel(input: Position): Promise<ModelReply>;
  settleTurn(input: SettleInput): Promise<Settled>;
  planPublish(input: PlanInput): Promise<Planned>;
  push(input: PublishInput): Promise<Pushed>;
  openPullRequest(input: PublishInput): Promise<Opened>;
  reportTurn(input: ReportInput): Promise<Reported>;
  passWait(input: WaitInput): Promise<WaitOutcome>;
  archiveJob(input: ArchiveInput): Promise<Archived>;
}

/** One activity type for each tool, so that the history reads "view docs/install.md". */
export type JobTools = Record<string, (input: ToolInput) => Promise<ToolOutcome>>;
