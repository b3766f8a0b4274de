import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
  patched,
  type ActivityInterfaceFor,
} from '@temporalio/workflow';
import type { JobActivities, JobTools, ModelReply, Settled } from '../activities/types.ts';
import { FAILURES, isFailureType } from '../shared/jobs/failures.ts';
import type { HaltReason, JobLimits, WaitingInstruction } from '../shared/jobs/job.ts';
import { countCall, countReply, limitReached, nothingSpent, type Spent } from './budget.ts';
import { type JobState, move, position } from './job-state.ts';

export interface TurnActivities {
  model: ActivityInterfaceFor<Pick<JobActivities, 'callModel'>>;
  tools: ActivityInterfaceFor<JobTools>;
  host: ActivityInterfaceFor<
    Pick<JobActivities, 'prepare' | 'planPublish' | 'push' | 'openPullRequest'>
  >;
  store: ActivityInterfaceFor<
    Pick<
      JobActivities,
      | 'beginJob'
      | 'readInstructions'
      | 'storeInstructions'
      | 'settleTurn'
      | 'reportTurn'
      | 'archiveJob'
    >
  >;
}

/** How a turn ended. `message` null: what the model said last. */
interface Ending {
  status: 'completed' | 'failed';
  haltReason: HaltReason;
  message: string | null;
  startNextFrom: 'workspace' | 'published';
}

const COMPLETED: Ending = {
  status: 'completed',
  haltReason: 'completed',
  message: null,
  startNextFrom: 'workspace',
};
const MAX_PREPARATIONS = 3;

/**
 * The work that one instruction starts, and those that come while it lasts: prepare, step until
 * there is a reason to stop, publish, report.
 */
export async function runTurn(
  job: JobState,
  acts: TurnActivities,
  limits: JobLimits,
  show: () => void,
): Promise<void> {
  job.turn += 1;
  job.step = 0;
  job.status = 'active';
  job.publishing = false;
  show();
  let ending: Ending | null;
  try {
    // A cancel may meet a job before its turn begins, together with the first instruction.
    if (job.cancelRequested) throw new CancelledFailure('cancelled before the turn began');
    ending = await work(job, acts, limits, show);
  } catch (error) {
    ending = endingOf(error, job);
  }
  if (ending) await CancellationScope.nonCancellable(() => report(job, acts, ending));
}

/** Null: what the turn was to begin with was withdrawn, so that there was none. */
async function work(
  job: JobState,
  acts: TurnActivities,
  limits: JobLimits,
  show: () => void,
): Promise<Ending | null> {
  const spent = nothingSpent(Date.now());
  // First of all: whatever fails later, the instruction has been taken.
  const rests = await readInbox(job, acts, job.haltReason && statusOf(job.haltReason));
  if (rests) {
    job.turn -= 1;
    job.status = job.inbox.length > 0 ? 'active' : rests;
    job.cancelRequested &&= job.inbox.length > 0;
    return null;
  }
  for (let preparations = 1; ; preparations++) {
    // A branch that moved under us: prepare again on top of it. The model goes on only where
    // changes met, or where it has not finished.
    const conflicts = await prepare(job, acts);
    // The patch: jobs from before it plan with what has come meanwhile still unread.
    if (
      preparations === 1 ||
      conflicts > 0 ||
      (job.inbox.length > 0 && patched('read-before-every-plan'))
    ) {
      const ending = await stepUntilDone(job, acts, limits, spent, show);
      if (ending) return ending;
    }
    const published = await publish(job, acts, show);
    if (published !== 'again') return published;
    if (preparations >= MAX_PREPARATIONS)
      return {
        ...COMPLETED,
        status: 'failed',
        haltReason: 'error',
        message: FAILURES.branch_moved.sentence,
      };
  }
}

/** Brings the workspace onto the newest commit. Returns how many paths conflict. */
async function prepare(job: JobState, acts: TurnActivities): Promise<number> {
  const prepared = await acts.host.prepare.executeWithOptions({ summary: `turn ${job.turn}` }, [
    { ...position(job), startFrom: job.startFrom },
  ]);
  move(job, prepared);
  job.startFrom = 'workspace';
  job.branch = prepared.branch;
  job.ref = prepared.ref;
  job.prLink = prepared.prLink;
  job.prNumber = prepared.prNumber;
  return prepared.conflicts.length;
}

/** The agent's loop. Null: there is something to publish; else why the turn ends without. */
async function stepUntilDone(
  job: JobState,
  acts: TurnActivities,
  limits: JobLimits,
  spent: Spent,
  show: () => void,
): Promise<Ending | null> {
  for (;;) {
    const reason = limitReached(spent, limits, Date.now());
    if (reason)
      return {
        ...COMPLETED,
        status: 'failed',
        haltReason: 'error',
        message: `${reason} The edits are kept: a follow-up goes on from here.`,
      };
    await readInbox(job, acts);
    job.step += 1;
    const reply = await acts.model.callModel.executeWithOptions(
      { summary: `step ${job.turn}.${job.step}` },
      [position(job)],
    );
    move(job, reply);
    job.model = reply.model;
    countReply(spent, reply);
    if (reply.stopReason === 'refusal')
      return {
        ...COMPLETED,
        status: 'failed',
        haltReason: 'error',
        message: `The model declined to carry this out. ${reply.text}`.trim(),
      };
    const next =
      reply.toolUses.length > 0
        ? await useTools(job, acts, limits, spent, reply)
        : await settle(job, acts, limits, spent, reply);
    show();
    // What came meanwhile belongs to this turn: a publish is planned only on an empty queue.
    if (next === 'again' || job.inbox.length > 0) continue;
    return next === 'publish' ? null : COMPLETED;
  }
}

async function useTools(
  job: JobState,
  acts: TurnActivities,
  limits: JobLimits,
  spent: Spent,
  reply: ModelReply,
): Promise<Settled['next']> {
  let finished = false;
  for (const toolUse of reply.toolUses) {
    const before = job.workspaceHead;
    const tool = acts.tools[toolUse.type];
    if (!tool) throw ApplicationFailure.nonRetryable(`no activity for ${toolUse.type}`, 'internal');
    const mendRoundsLeft = Math.max(0, limits.maxMendRounds - spent.mendRounds);
    const outcome = await tool.executeWithOptions({ summary: toolUse.summary }, [
      { ...position(job), toolUse, mendRoundsLeft },
    ]);
    move(job, outcome);
    if (outcome.todos) job.todos = outcome.todos;
    // A refused `finish` has a limit of its own.
    if (toolUse.type !== 'finish') countCall(spent, toolUse, job.workspaceHead !== before);
    else if (outcome.isError) spent.mendRounds += 1;
    finished ||= outcome.finished;
  }
  return finished ? 'publish' : 'again';
}

/**
 * The model stopped without `finish`: a question, an answer, a refusal, or edits that it takes for
 * done.
 */
async function settle(
  job: JobState,
  acts: TurnActivities,
  limits: JobLimits,
  spent: Spent,
  reply: ModelReply,
): Promise<Settled['next']> {
  const settled = await acts.store.settleTurn.executeWithOptions({ summary: reply.stopReason }, [
    {
      ...position(job),
      stopReason: reply.stopReason,
      mendRoundsLeft: Math.max(0, limits.maxMendRounds - spent.mendRounds),
    },
  ]);
  move(job, settled);
  if (settled.next === 'again' && reply.stopReason === 'end_turn') spent.mendRounds += 1;
  return settled.next;
}

/**
 * Plan, push, open. A cancel counts until the plan is made; from there it goes out, whatever comes.
 */
async function publish(
  job: JobState,
  acts: TurnActivities,
  show: () => void,
): Promise<Ending | 'again'> {
  const planned = await acts.host.planPublish.executeWithOptions({ summary: job.branch ?? '' }, [
    { ...position(job), now: Date.now(), branch: job.branch },
  ]);
  job.at = planned.at;
  if (planned.outcome === 'nothing') return COMPLETED;
  if (planned.outcome === 'moved') return 'again';
  if (planned.outcome === 'refused') {
    return {
      status: 'failed',
      haltReason: 'error',
      message: `Not published: ${planned.reasons.join(' ')}`,
      startNextFrom: 'published',
    };
  }
  job.publishing = true;
  job.title ??= planned.title; // the pull request's own, once there is one
  return CancellationScope.nonCancellable(async () => {
    try {
      const pushed = await acts.host.push.executeWithOptions({ summary: planned.branch }, [
        { ...position(job), publicationId: planned.publicationId },
      ]);
      job.at = pushed.at;
      job.ref = pushed.ref;
      const opened = await acts.host.openPullRequest.executeWithOptions(
        { summary: planned.title.slice(0, 150) },
        [{ ...position(job), publicationId: planned.publicationId }],
      );
      job.at = opened.at;
      if (opened.outcome === 'overtaken') return retry(job);
      job.title = opened.title;
      job.prLink = opened.prLink;
      job.prNumber = opened.prNumber;
      show();
      return COMPLETED;
    } catch (error) {
      if (failureType(error) === 'branch_moved') return retry(job);
      throw error;
    }
  });
}

function retry(job: JobState): 'again' {
  job.publishing = false;
  return 'again';
}

async function report(job: JobState, acts: TurnActivities, ending: Ending): Promise<void> {
  const cancelled = job.cancelRequested;
  const dropped = cancelled ? take(job) : [];
  const reported = await acts.store.reportTurn.executeWithOptions({ summary: ending.status }, [
    {
      ...position(job),
      status: ending.status,
      haltReason: ending.haltReason,
      message: ending.message,
      dropped,
      takenBack: ending.startNextFrom === 'published',
    },
  ]);
  job.at = reported.at;
  job.status = job.inbox.length > 0 ? 'active' : reported.status;
  job.haltReason = ending.haltReason;
  job.messageToUser = reported.messageToUser;
  job.ref = reported.ref;
  job.prLink = reported.prLink;
  job.transcriptHead = reported.transcriptHead;
  job.startFrom = ending.startNextFrom;
  job.publishing = false;
  // One that came during this report is for what waits, not for what has ended.
  job.cancelRequested = job.cancelRequested && !cancelled && job.inbox.length > 0;
}

/**
 * Brings what has come meanwhile into the transcript, after all tool results, before the next model
 * call. `restsAs`: what the job is again where a turn is to begin with these, and all of them were
 * withdrawn; says so, and what it is.
 */
async function readInbox(
  job: JobState,
  acts: TurnActivities,
  restsAs: Ending['status'] | null = null,
): Promise<JobState['status'] | undefined> {
  const instructions = take(job);
  if (instructions.length === 0) return undefined;
  const summary = `${instructions.length} follow-up${instructions.length === 1 ? '' : 's'}`;
  try {
    const read = await acts.store.readInstructions.executeWithOptions({ summary }, [
      { ...position(job), instructions, ...(restsAs && { restsAs }) },
    ]);
    move(job, read);
    return read.rests;
  } catch (error) {
    job.inbox.unshift(...instructions); // not read, as far as we know: after a cancel the report drops and names them
    throw error;
  }
}

/** How the turn ended that left this reason. */
function statusOf(reason: HaltReason): Ending['status'] {
  return reason === 'completed' ? 'completed' : 'failed';
}

function take(job: JobState): WaitingInstruction[] {
  return job.inbox.splice(0);
}

/**
 * Also where the worker that was to hear of the cancel had died: its activity times out, and is not
 * tried again.
 */
function wasCancelled(error: unknown): boolean {
  return (
    isCancellation(error) ||
    (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED')
  );
}

function endingOf(error: unknown, job: JobState): Ending {
  if (wasCancelled(error)) {
    const by = job.cancelRequested ? 'Cancelled' : 'Cancelled by an operator';
    return {
      status: 'failed',
      haltReason: 'error',
      message: `${by}. What was edited is kept in the diff; nothing was published.`,
      startNextFrom: 'published',
    };
  }
  const type = failureType(error);
  if (!isFailureType(type)) throw error; // a defect of the workflow itself: Temporal keeps the job and retries
  const cause = (error as ActivityFailure).cause;
  const sentence =
    type !== 'internal' && cause instanceof ApplicationFailure && cause.message
      ? cause.message
      : FAILURES[type].sentence;
  return {
    status: 'failed',
    haltReason: FAILURES[type].haltReason,
    message: sentence,
    startNextFrom: 'workspace',
  };
}

/**
 * The stable type of what ended an activity; time-outs of a worker that never answered count as
 * ours.
 */
function failureType(error: unknown): string | undefined {
  if (error instanceof ApplicationFailure) return error.type ?? undefined;
  if (!(error instanceof ActivityFailure)) return undefined;
  const cause = error.cause;
  return cause instanceof ApplicationFailure && isFailureType(cause.type) ? cause.type : 'internal';
}
