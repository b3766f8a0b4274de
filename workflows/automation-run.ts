import {
  continueAsNew,
  defineSignal,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { ActivityFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  type AddInput,
  type Admitted,
  type AutomationActivities,
  RUN_WORKFLOW,
  type RunInput,
  runWorkflowId,
  WATCH_SIGNAL,
  type WatchInput,
} from '../shared/jobs/automation.ts';
import { AUTOMATION, AUTOMATION_CALL } from './retry-policies.ts';

const activities = proxyActivities<Omit<AutomationActivities, 'judgeRun'>>(AUTOMATION);
const { judgeRun } = proxyActivities<Pick<AutomationActivities, 'judgeRun'>>(AUTOMATION_CALL);

/** How often a turn that runs is looked at: soon at first, then each minute. */
const LOOK = { firstMs: 500, growth: 1.3, mostMs: 60_000 };

/**
 * One run of an automation: is anything to be done, may it be done now, then a turn of the
 * automation's standing job, and what is to be said about it.
 */
export async function automationRun(input: RunInput): Promise<void> {
  const runId = 'runId' in input ? input.runId : await begin(input.automationId);
  if (runId === null) return;
  try {
    await carryOut(runId);
    await activities.reportRun({ runId });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    await activities.reportRun({ runId, failed: error.cause?.message ?? error.message });
  }
}

async function carryOut(runId: string): Promise<void> {
  if (!(await untilAllowed(runId, () => judgeRun({ runId })))) return;
  if (!(await untilAllowed(runId, () => activities.admitRun({ runId })))) return;
  if (!(await untilAllowed(runId, () => activities.startTurn({ runId })))) return;
  setCurrentDetails('The agent works.');
  let wait = LOOK.firstMs;
  while (!(await activities.readTurn({ runId }))) {
    await continueIfLong(runId);
    await sleep(wait);
    wait = Math.min(LOOK.mostMs, wait * LOOK.growth);
  }
}

/** By a schedule: the workflow's id ends with the time at which it was due. */
async function begin(automationId: string): Promise<string | null> {
  const { workflowId, startTime } = workflowInfo();
  const dueAt = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId)?.[0] ?? startTime.toISOString();
  return activities.beginRun({ automationId, key: workflowId, dueAt });
}

/** Waits as often as it takes. False: the run has ended. */
async function untilAllowed(runId: string, ask: () => Promise<Admitted>): Promise<boolean> {
  for (;;) {
    const { next, again } = await ask();
    if (next !== 'wait') return next === 'start';
    await continueIfLong(runId);
    await sleep(again, { summary: 'held back' });
  }
}

/** A run may wait for days. Its row knows how far it is: each activity finds what it did before. */
async function continueIfLong(runId: string): Promise<void> {
  if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof automationRun>({ runId });
}

const changedSignal = defineSignal(WATCH_SIGNAL);

/** Reads what happened in a repository, and starts a run for each change that nobody has begun. */
export async function watchRepository(input: WatchInput): Promise<void> {
  let changed = true;
  setHandler(changedSignal, () => {
    changed = true;
  });
  while (changed) {
    changed = false;
    await Promise.all((await activities.readChanges(input)).map(startRun));
    if (changed && workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof watchRepository>(input);
  }
}

async function startRun(runId: string): Promise<void> {
  const { priority } = workflowInfo();
  try {
    await startChild(RUN_WORKFLOW, {
      workflowId: runWorkflowId(runId),
      args: [{ runId } satisfies RunInput],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      ...(priority && { priority }),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Opens a pull request with an automation's file. */
export async function addAutomation(input: AddInput): Promise<string> {
  return activities.addAutomation(input);
}
