import {
  defineSignal,
  log,
  setDefaultSignalHandler,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import {
  type EpochSignal,
  type JobInput,
  type MessageSignal,
  SIGNALS,
} from '../shared/jobs/job.ts';
import type { JobState } from './job-state.ts';
import { receiveArchive, receiveCancel, receiveMessage } from './receive-signals.ts';
import { show } from './web-ui.ts';

const messageSignal = defineSignal<[MessageSignal]>(SIGNALS.message);
const cancelSignal = defineSignal<[EpochSignal?]>(SIGNALS.cancel);
const archiveSignal = defineSignal<[EpochSignal?]>(SIGNALS.archive);

/** Handles the signals of a job. Ignores those that are invalid now, and shows why in the Web UI. */
export function handleSignals(job: JobState, { limits }: JobInput, cancelTurn: () => void): void {
  const ignore = (reason: string | null): void => {
    if (!reason) return;
    job.ignoredSignals.push(reason);
    log.warn('signal ignored', { reason });
    upsertMemo({ ignoredSignals: job.ignoredSignals.slice(-10) });
    show(job);
  };
  setHandler(
    messageSignal,
    (raw: unknown) => ignore(receiveMessage(job.durable, raw, limits.maxQueue)),
    { description: 'A follow-up: {"prompt": string, "messageId"?: string}' },
  );
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
  setDefaultSignalHandler(name => ignore(`unknown signal "${name.slice(0, 100)}"`));
}
