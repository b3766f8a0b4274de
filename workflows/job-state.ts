import { workflowInfo } from '@temporalio/workflow';
import type { Moved, Position } from '../shared/jobs/activity-types.ts';
import { SEARCH_ATTRIBUTES } from '../shared/jobs/attribute-names.ts';
import {
  type Carried,
  type DurableState,
  type JobInput,
  type JobLimits,
  jobFieldsOf,
  type JobView,
  newJobFields,
  SEEN_IDS_KEPT,
  type WaitingInstruction,
} from '../shared/jobs/job.ts';
import type { WaitingFor } from '../shared/jobs/waiting.ts';
import type { Ignored } from './filter-signals.ts';
import type { TurnActivities } from './retry-policies.ts';
import type { Spent } from './turn-limits.ts';

/**
 * Everything that the workflow knows between two activities: `durable` is carried
 * through continue-as-new, the rest belongs to one run.
 */
export interface JobState {
  readonly jobId: string;
  /** The run that this one replaces, because Temporal has lost it. */
  readonly replaces: string | null;
  durable: DurableState;
  step: number;
  /** From here a cancel is too late: what is planned is published. */
  publishing: boolean;
  archivedAt: string | null;
  /** While a turn is being reported: what it waits for from then on. */
  endsWaitingFor: WaitingFor | null;
  /** Instructions that are being read, and are not in the queue any more. */
  reading: readonly WaitingInstruction[];
  /** No turn runs: it waits for an instruction. */
  isWaiting: boolean;
  /** Signals of this run that were ignored: how many, and why the newest ones were. */
  ignored: Ignored;
  turnsInThisRun: number;
  /** The search attributes that the server has. */
  readonly attributes: readonly string[];
  /** What the search attributes contain, so that they are written on change only. */
  listed: { status: string; prLink: string | null };
  /** The row is this workflow's, and what the job came with is read. */
  hasBegun: boolean;
}

/** What every part of a turn works with. */
export interface Turn {
  job: JobState;
  activities: TurnActivities;
  limits: JobLimits;
  spent: Spent;
}

/** Those of 0.1.0. */
const FIRST_ATTRIBUTES = [SEARCH_ATTRIBUTES.status, SEARCH_ATTRIBUTES.pullRequest];

export function newState(input: JobInput): JobState {
  const { jobId, carried, replaces, attributes = FIRST_ATTRIBUTES } = input;
  return {
    jobId,
    replaces: replaces ?? null,
    attributes,
    durable: carried ? receive(carried) : newDurableState(),
    step: 0,
    publishing: false,
    archivedAt: null,
    endsWaitingFor: null,
    reading: [],
    isWaiting: false,
    ignored: { count: 0, newest: [] },
    turnsInThisRun: 0,
    listed: { status: '', prLink: null },
    hasBegun: carried !== undefined,
  };
}

function newDurableState(): DurableState {
  return {
    ...newJobFields(),
    status: 'active',
    inbox: [],
    seen: [],
    unnamed: 0,
    turn: 0,
    at: { epoch: 0, n: 0 },
    startFrom: 'workspace',
    archiveAt: null,
    wait: null,
    cancelRequested: false,
    archiveRequested: false,
  };
}

/**
 * What the next run starts with. Every waiting instruction must be stored by now: only its id
 * travels.
 */
export function carry<Durable extends DurableState>(job: { durable: Durable }): Carried<Durable> {
  const { inbox, ...rest } = job.durable;
  return {
    ...rest,
    queue: inbox.map(item => item.messageId),
    seen: rest.seen.slice(-SEEN_IDS_KEPT),
    archiveRequested: rest.archiveRequested && inbox.length === 0,
  };
}

/** The counterpart of `carry`. A release before may have carried fewer fields. */
function receive({ queue, ...rest }: Carried): DurableState {
  const inbox = queue.map(messageId => ({ messageId }));
  return { ...newJobFields(), ...rest, wait: rest.wait ?? null, inbox };
}

/** The answer of the query `job`. */
export function view(job: JobState): JobView {
  const { jobId, durable, step, archivedAt } = job;
  return {
    jobId,
    runId: workflowInfo().runId,
    continuedFrom: runBefore(job),
    ...jobFieldsOf(durable),
    // Null whenever the job is active, by the interface.
    ...(durable.status === 'active' && {
      prLink: null,
      haltReason: null,
      messageToUser: null,
      waitingFor: null,
    }),
    status: durable.status,
    isWaiting: job.isWaiting,
    epoch: durable.at.epoch,
    n: durable.at.n,
    turn: durable.turn,
    step,
    queue: durable.inbox.length,
    unstored: durable.inbox.filter(item => item.prompt !== undefined).length,
    archivedAt,
  };
}

/** Where the job is, for the next activity. */
export function position(job: JobState): Position {
  const { jobId, durable, step } = job;
  return {
    jobId,
    turn: durable.turn,
    step,
    transcriptHead: durable.transcriptHead,
    workspaceHead: durable.workspaceHead,
    continuedFrom: runBefore(job),
  };
}

/** The run that this one continues as new, or replaces. */
function runBefore({ replaces }: JobState): string | null {
  return workflowInfo().continuedFromExecutionRunId ?? replaces;
}

/** Takes over the heads and the row's version that an activity gave back. */
export function move({ durable }: JobState, moved: Moved): void {
  durable.transcriptHead = moved.transcriptHead;
  durable.workspaceHead = moved.workspaceHead;
  durable.at = moved.at;
}
