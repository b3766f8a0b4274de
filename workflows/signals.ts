import { defineSignal, log, patched, setHandler, upsertMemo } from '@temporalio/workflow';
import type { JobInput } from '../shared/jobs/job.ts';
import {
  type BudgetSignal,
  type DecisionSignal,
  type EpochSignal,
  type MessageSignal,
  SIGNALS,
} from '../shared/jobs/signals.ts';
import { IGNORED, type Ignored, LISTED } from './filter-signals.ts';
import type { JobState } from './job-state.ts';
import {
  receiveArchive,
  receiveBudget,
  receiveCancel,
  receiveDecision,
  receiveMessage,
} from './receive-signals.ts';
import { show } from './web-ui.ts';

const messageSignal = defineSignal<[MessageSignal]>(SIGNALS.message);
const approveSignal = defineSignal<[DecisionSignal?]>(SIGNALS.approve);
const declineSignal = defineSignal<[DecisionSignal?]>(SIGNALS.decline);
const budgetSignal = defineSignal<[BudgetSignal]>(SIGNALS.budget);
const cancelSignal = defineSignal<[EpochSignal?]>(SIGNALS.cancel);
const archiveSignal = defineSignal<[EpochSignal?]>(SIGNALS.archive);
const ignoredSignal = defineSignal<[Ignored]>(IGNORED);

/** Handles the signals of a job. Ignores those that are invalid now, and shows why in the Web UI. */
export function handleSignals(job: JobState, { limits }: JobInput, cancelTurn: () => void): void {
  const { ignored } = job;
  let isListing = false;
  const add = ({ count, newest }: Ignored): void => {
    ignored.count += count;
    ignored.newest = [...ignored.newest, ...newest].slice(-LISTED);
    // A job of 0.1.0 listed each by itself, and its history has a command for each.
    if (!patched('list-ignored-together')) {
      for (let i = 0; i < count; i++) list(job);
      return;
    }
    if (isListing) return;
    isListing = true;
    Promise.resolve()
      .then(() => {
        isListing = false;
        list(job);
      })
      // A task that failed ends its workflow's code wherever it is.
      .catch(() => undefined);
  };
  const ignore = (reason: string | null): void => {
    if (reason) add({ count: 1, newest: [reason] });
  };
  setHandler(ignoredSignal, add, { description: 'Not for use' });
  setHandler(
    messageSignal,
    (raw: unknown) => ignore(receiveMessage(job.durable, raw, limits.maxQueue)),
    { description: 'A follow-up: {"prompt": string, "messageId"?: string}' },
  );
  setHandler(approveSignal, (raw: unknown) => ignore(receiveDecision(job, raw, SIGNALS.approve)), {
    description: 'Approve what the job waits for: {"turn"?: number}',
  });
  setHandler(declineSignal, (raw: unknown) => ignore(receiveDecision(job, raw, SIGNALS.decline)), {
    description: 'Decline what the job waits to have approved: {"turn"?: number}',
  });
  setHandler(budgetSignal, (raw: unknown) => ignore(receiveBudget(job, raw, limits.maxQueue)), {
    description: 'Change the job’s budget: {"usd": number}',
  });
  setHandler(
    cancelSignal,
    (raw: unknown) => {
      ignore(receiveCancel(job, raw));
      if (job.durable.cancelRequested) cancelTurn();
    },
    { description: 'End the running turn: its edits are kept, nothing is published' },
  );
  setHandler(archiveSignal, (raw: unknown) => ignore(receiveArchive(job, raw)), {
    description: 'Archive an idle job',
  });
}

function list(job: JobState): void {
  const { newest, count } = job.ignored;
  log.warn('signals ignored', { count, newest: newest.at(-1) });
  upsertMemo({ ignoredSignals: newest, ignoredSignalCount: count });
  show(job);
}
