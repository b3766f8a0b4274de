import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import {
  allHandlersFinished,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { JobActivities, JobTools } from '../activities/types.ts';
import {
  type EpochSignal,
  JOB_QUERY,
  type JobInput,
  type JobView,
  type MessageSignal,
  SEARCH_ATTRIBUTES,
  SIGNALS,
} from '../shared/jobs/job.ts';
import { currentDetails } from './details.ts';
import { carry, enqueue, type JobState, newState, position, view } from './job-state.ts';
import { activityOptions } from './options.ts';
import { receiveArchive, receiveCancel, receiveMessage } from './signals.ts';
import { runTurn, type TurnActivities } from './turn.ts';

export const messageSignal = defineSignal<[MessageSignal]>(SIGNALS.message);
export const cancelSignal = defineSignal<[EpochSignal?]>(SIGNALS.cancel);
export const archiveSignal = defineSignal<[EpochSignal?]>(SIGNALS.archive);
const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);
const PULL_REQUEST = defineSearchAttributeKey(
  SEARCH_ATTRIBUTES.pullRequest,
  SearchAttributeType.KEYWORD,
);
export const jobQuery = defineQuery<JobView>(JOB_QUERY);

/**
 * After this long, a stored instruction whose signal has not come is overdue: the next try to
 * archive brings it.
 */
const LATE_SIGNAL_MS = 15_000;

/**
 * The life of one job: wait for an instruction, carry it out, rest, and wait for the next until it
 * is archived. It stays open between instructions, so that a plain signal always reaches it.
 */
export async function agentJob(input: JobInput): Promise<void> {
  const job = newState(input);
  const activities = proxies(input);
  let turnScope: CancellationScope | undefined;

  const ignore = (reason: string | null): void => {
    if (!reason) return;
    job.ignoredSignals.push(reason);
    log.warn('signal ignored', { reason });
    upsertMemo({ ignoredSignals: job.ignoredSignals.slice(-10) });
    show(job);
  };
  setHandler(
    messageSignal,
    (raw: unknown) => ignore(receiveMessage(job, raw, input.limits.maxQueue)),
    {
      description: 'A follow-up: {"prompt": string, "messageId"?: string}',
    },
  );
  setHandler(
    cancelSignal,
    (raw: unknown) => {
      ignore(receiveCancel(job, raw));
      if (job.cancelRequested) turnScope?.cancel();
    },
    {
      description: 'End the turn that is under way; what was edited is kept, nothing is published',
    },
  );
  setHandler(archiveSignal, (raw: unknown) => ignore(receiveArchive(job, raw)), {
    description: 'Archive a job that is at rest',
  });
  setDefaultSignalHandler(name => ignore(`unknown signal "${name.slice(0, 100)}"`));
  setHandler(jobQuery, () => view(job), { description: 'The job as the API shows it' });

  try {
    if (!input.carried) {
      const begun = await activities.store.beginJob({ jobId: job.jobId });
      if (!begun.proceed) return; // the API gave the row up: this start came too late
      enqueue(job, begun.queue);
      job.branch = begun.branch;
      job.at = begun.at;
    }
    show(job);
    do {
      while (await nextInstruction(job, input)) {
        await CancellationScope.cancellable(async () => {
          turnScope = CancellationScope.current();
          await runTurn(job, activities, input.limits, () => show(job));
        });
        job.turnsInThisRun += 1;
        show(job);
        if (mustContinueAsNew(job, input)) await startAfresh(job, activities, input);
      }
    } while (!(await archive(job, activities, { dropWaiting: false })));
  } catch (error) {
    if (!isCancellation(error)) throw error;
    // Cancelled from outside (Web UI, CLI): the end of the job, not of a turn.
    await CancellationScope.nonCancellable(() => archive(job, activities, { dropWaiting: true }));
    throw error;
  }
}

function proxies(input: JobInput): TurnActivities {
  const options = activityOptions(input.limits.heartbeatSeconds);
  return {
    model: proxyActivities<Pick<JobActivities, 'callModel'>>(options.model),
    tools: proxyActivities<JobTools>(options.tool),
    host: proxyActivities<
      Pick<JobActivities, 'prepare' | 'planPublish' | 'push' | 'openPullRequest'>
    >(options.host),
    store: proxyActivities<
      Pick<
        JobActivities,
        | 'beginJob'
        | 'readInstructions'
        | 'storeInstructions'
        | 'settleTurn'
        | 'reportTurn'
        | 'archiveJob'
      >
    >(options.store),
  };
}

/**
 * Waits for an instruction. False: the job is to be archived, by request or because its time is up.
 */
async function nextInstruction(job: JobState, input: JobInput): Promise<boolean> {
  if (CancellationScope.current().consideredCancelled)
    throw new CancelledFailure('cancelled from outside'); // with a queue, too
  if (job.inbox.length > 0) return true;
  // The deadline counts from the last turn's end, across continue-as-new.
  job.archiveAt ??= Date.now() + input.limits.archiveAfterMs;
  const rest = Math.max(1, job.archiveAt - Date.now());
  await condition(() => job.inbox.length > 0 || job.archiveRequested, rest, {
    summary: 'wait for a follow-up, else archive',
  });
  if (job.inbox.length === 0) return false;
  job.archiveRequested = false;
  job.archiveAt = null;
  return true;
}

function mustContinueAsNew(job: JobState, input: JobInput): boolean {
  const forced = input.limits.continueAsNewAfterTurns;
  return workflowInfo().continueAsNewSuggested || (forced > 0 && job.turnsInThisRun >= forced);
}

/**
 * Begins a new history under the same id, with the queue: only ids travel, so what a signal brought
 * is stored first.
 */
async function startAfresh(
  job: JobState,
  activities: TurnActivities,
  input: JobInput,
): Promise<void> {
  let unstored = job.inbox.filter(item => item.prompt !== undefined);
  while (unstored.length > 0) {
    const { at } = await activities.store.storeInstructions({
      ...position(job),
      instructions: unstored,
    });
    job.at = at;
    for (const item of unstored) delete item.prompt;
    unstored = job.inbox.filter(item => item.prompt !== undefined);
  }
  await condition(allHandlersFinished);
  await continueAsNew<typeof agentJob>({ ...input, carried: carry(job) });
}

/** False where an instruction came at the same moment: the job stays open. */
async function archive(
  job: JobState,
  activities: TurnActivities,
  options: { dropWaiting: boolean },
): Promise<boolean> {
  const {
    archivedAt,
    at,
    overdue = [],
  } = await activities.store.archiveJob({
    ...position(job),
    status: job.status,
    waiting: job.inbox,
    ...options,
  });
  job.at = at;
  job.archiveRequested = false;
  enqueue(job, overdue);
  if (!options.dropWaiting && (archivedAt === null || job.inbox.length > 0)) {
    job.archiveAt = Date.now() + LATE_SIGNAL_MS;
    return false;
  }
  job.archivedAt = archivedAt;
  if (job.status === 'active') job.status = 'failed';
  show(job);
  return true;
}

/** What the Web UI's lists and details show. */
function show(job: JobState): void {
  setCurrentDetails(currentDetails(job));
  const status = job.archivedAt ? 'archived' : job.status;
  if (job.listed.status === status && job.listed.prLink === job.prLink) return;
  job.listed = { status, prLink: job.prLink };
  upsertSearchAttributes([
    { key: STATUS, value: status },
    ...(job.prLink ? [{ key: PULL_REQUEST, value: job.prLink }] : []),
  ]);
}
