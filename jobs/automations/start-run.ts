import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import {
  RUN_WORKFLOW,
  runWorkflowId,
  WATCH_SIGNAL,
  WATCH_WORKFLOW,
  watchWorkflowId,
} from '../../shared/jobs/automation.ts';
import { taskPriority } from '../../shared/jobs/task-priority.ts';

const DEADLINE_MS = 5_000;

/** Starts the workflow of a run that has a row; one that runs or has run is success. */
export async function startRun(
  temporal: Client,
  taskQueue: string,
  run: { id: string; projectId: string; summary: string },
): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflow.start(RUN_WORKFLOW, {
        workflowId: runWorkflowId(run.id),
        taskQueue,
        args: [{ runId: run.id }],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        priority: taskPriority(run.projectId, 'automation'),
        staticSummary: run.summary.slice(0, 200),
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** Whether a workflow has ended or is gone. One that never was is not asked about here. */
export async function hasEnded(temporal: Client, workflowId: string): Promise<boolean> {
  try {
    const { status } = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowId).describe(),
    );
    return status.name !== 'RUNNING' && status.name !== 'CONTINUED_AS_NEW';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}

/** Has the repository that an automation watches read now, or once more. */
export async function requestWatch(
  temporal: Client,
  taskQueue: string,
  automation: { id: string; projectId: string },
): Promise<void> {
  await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflow.signalWithStart(WATCH_WORKFLOW, {
      workflowId: watchWorkflowId(automation.id),
      taskQueue,
      args: [{ automationId: automation.id }],
      signal: WATCH_SIGNAL,
      priority: taskPriority(automation.projectId, 'automation'),
    }),
  );
}
