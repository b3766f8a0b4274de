import {
  ApplicationFailure,
  currentUpdateInfo,
  defineSignal,
  defineUpdate,
  log,
  patched,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import type { JobInput } from '../shared/jobs/job.ts';
import { SIGNALS } from '../shared/jobs/signals.ts';
import { IGNORED, type Ignored, LISTED } from './filter-signals.ts';
import type { JobState } from './job-state.ts';
import {
  receiveArchive,
  receiveBudget,
  receiveCancel,
  receiveDecision,
  receiveMessage,
  withUpdateId,
} from './receive-signals.ts';
import { show } from './web-ui.ts';

interface Door {
  description: string;
  /** Why it is not taken, or null. */
  receive(job: JobState, raw: unknown, maxQueue: number): string | null;
}

/** What a job accepts, each as a signal and as an update. */
const DOORS: Record<keyof typeof SIGNALS, Door> = {
  message: {
    description: 'A follow-up: {"prompt": string, "messageId"?: string}',
    receive: ({ durable }, raw, maxQueue) => receiveMessage(durable, raw, maxQueue),
  },
  approve: {
    description: 'Approve what the job waits for: {"turn"?: number}',
    receive: (job, raw) => receiveDecision(job, raw, 'approve'),
  },
  decline: {
    description: 'Decline what the job waits to have approved: {"turn"?: number}',
    receive: (job, raw) => receiveDecision(job, raw, 'decline'),
  },
  budget: { description: 'Change the job’s budget: {"usd": number}', receive: receiveBudget },
  cancel: {
    description: 'End the running turn: its edits are kept, nothing is published',
    receive: receiveCancel,
  },
  archive: { description: 'Archive an idle job', receive: receiveArchive },
};

/**
 * Takes what people and scripts send to a job. A signal that is invalid now is ignored, and the Web
 * UI shows why; the sender of an update gets the reason, and nothing of it is in the history.
 */
export function handleMessages(job: JobState, { limits }: JobInput, cancelTurn: () => void): void {
  const ignore = ignorer(job);
  setHandler(defineSignal<[Ignored]>(IGNORED), ignore, { description: 'Not for use' });
  for (const name of Object.values(SIGNALS)) {
    const { description, receive } = DOORS[name];
    const take = (raw: unknown): string | null => {
      const reason = receive(job, raw, limits.maxQueue);
      if (name === SIGNALS.cancel && job.durable.cancelRequested) cancelTurn();
      return reason;
    };
    const named = (raw: unknown) => withUpdateId(raw, currentUpdateInfo()?.id);
    const onSignal = (raw: unknown): void => {
      const reason = take(raw);
      if (reason) ignore({ count: 1, newest: [`${name}: ${reason}`] });
    };
    setHandler(defineSignal<[unknown]>(name), onSignal, { description });
    setHandler(defineUpdate<string, [unknown]>(name), raw => orRefuse(take(named(raw))), {
      description,
      validator: raw => void orRefuse(receive(copyOf(job), named(raw), limits.maxQueue)),
    });
  }
}

function orRefuse(reason: string | null): string {
  if (reason) throw ApplicationFailure.nonRetryable(`Not taken: ${reason}.`, 'not_taken');
  return 'taken';
}

/** What a validator may try out. */
function copyOf(job: JobState): JobState {
  const { durable } = job;
  return { ...job, durable: { ...durable, inbox: [...durable.inbox], seen: [...durable.seen] } };
}

function ignorer(job: JobState): (more: Ignored) => void {
  const { ignored } = job;
  let isListing = false;
  return ({ count, newest }) => {
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
}

function list(job: JobState): void {
  const { newest, count } = job.ignored;
  log.warn('signals ignored', { count, newest: newest.at(-1) });
  upsertMemo({ ignoredSignals: newest, ignoredSignalCount: count });
  show(job);
}
