import type { HostKind } from '../host-kind.ts';
import type { Result } from './result.ts';

/**
 * The contract of automations: names and shapes that the API, the workflows, the activities and
 * the CLI share.
 */

export const RUN_WORKFLOW = 'automationRun';
/** Reads what happened in the repository that an automation watches. */
export const WATCH_WORKFLOW = 'watchRepository';
/** Signal: something happened there, read once more. */
export const WATCH_SIGNAL = 'changed';
/** Opens a pull request that adds an automation's file. */
export const ADD_WORKFLOW = 'addAutomation';

/** On an open pull request of code: its docs are prepared before the merge. */
export const PREPARE_LABEL = 'docs: prepare';

/** A branch of a context repository. */
export interface WatchedBranch {
  host: HostKind;
  /** As the host names it, such as "owner/name". */
  repository: string;
  branch: string;
}

export type Trigger =
  /** Five fields, in a time zone of the IANA database. */
  | { kind: 'cron'; cron: string; timezone: string }
  /** A pull request was merged there. */
  | ({ kind: 'merge' } & WatchedBranch)
  /** The branch got commits. */
  | ({ kind: 'push' } & WatchedBranch)
  /** The docs were indexed at a new commit. */
  | { kind: 'index' }
  | { kind: 'manual' };

/** What an automation's file says. */
export interface Definition {
  name: string;
  trigger: Trigger;
  /** Names of context repositories that the instruction is about. */
  context: string[];
  /** Patterns of files; a change that touches none of them needs no run. Empty: every change. */
  paths: string[];
  draft: boolean;
  /** A run is given unanswered questions of readers, and needs some. Missing: false. */
  questions?: boolean;
  /** A run is given what readers asked in vain of late, and needs some of it. Missing: false. */
  digest?: boolean;
  labels: string[];
  /** What a run may cost before it waits for a person; without, as the brakes allow. */
  budgetUsd?: number;
  /** Without, as the project says. */
  requirePlanApproval?: boolean;
  /** The body. */
  instruction: string;
}

/** A change of a context repository that caused a run; never instructions. */
export interface Change extends WatchedBranch {
  /** Of a pull request; null: a push. */
  number: number | null;
  url: string | null;
  /** The newest commit of the change, and the one before it if that is not its parent. */
  commit: string;
  from: string | null;
  title: string;
  body: string;
  author: string;
  labels: string[];
  /** ISO 8601. */
  at: string;
  /** It is not merged yet: its docs are prepared. */
  prepares?: true;
}

/** What caused a run. `dueAt`: ISO 8601. */
export type Cause =
  | { kind: 'schedule'; dueAt: string }
  | { kind: 'hand' }
  | { kind: 'index'; commit: string }
  | { kind: 'change'; change: Change };

export type RunState = 'waiting' | 'held_back' | 'running' | 'done';

/** How a run ended: as its turn did, or before it. */
export type RunOutcome = Result | 'no_action' | 'held_back';

/** Input of `automationRun`. A run without a row yet is made by its first activity. */
export type RunInput = { runId: string } | { automationId: string };

export interface WatchInput {
  automationId: string;
}

export interface AddInput {
  projectId: string;
  path: string;
  text: string;
  name: string;
}

/** Null: the run waits, `again` milliseconds. */
export interface Admitted {
  next: 'start' | 'ended' | 'wait';
  again: number;
}

export interface AutomationActivities {
  /** The run's id; null: the automation is gone or paused. */
  beginRun(input: { automationId: string; key: string; dueAt: string }): Promise<string | null>;
  /** Decides whether anything is to be done: path filter, labels, then one small model call. */
  judgeRun(input: { runId: string }): Promise<Admitted>;
  /** Applies the brakes. */
  admitRun(input: { runId: string }): Promise<Admitted>;
  /** Gives the instruction to the standing job. */
  startTurn(input: { runId: string }): Promise<Admitted>;
  /** Whether the turn has ended; its outcome is stored then. */
  readTurn(input: { runId: string }): Promise<boolean>;
  /**
   * Comments, labels, and the pause after failures in a row. `failed`: why the run ended before its
   * time.
   */
  reportRun(input: { runId: string; failed?: string }): Promise<void>;
  /** Ids of runs that are to be started. */
  readChanges(input: WatchInput): Promise<string[]>;
  /** The link of the pull request. */
  addAutomation(input: AddInput): Promise<string>;
}

export function runWorkflowId(runId: string): string {
  return `automation-${runId}`;
}

export function watchWorkflowId(automationId: string): string {
  return `watch-${automationId}`;
}

/** Schedules of automations, and nothing else, begin so. The server appends the time of a run. */
export const SCHEDULE_PREFIX = 'automation-aut_';

export function scheduleId(automationId: string): string {
  return `automation-${automationId}`;
}
