import type { Client } from '@temporalio/client';

/** One failure can be a worker that was stopped. */
const FAILING_ATTEMPT = 3;
const DEADLINE_MS = 5_000;
const NEWEST_EVENTS = 50;

export const UNBLOCK =
  'run a worker of the release that the job began with, or take it back with "docent job rewind"';

/**
 * Why a job’s workflow cannot continue: the reason with which its workflow task fails again and again,
 * for example because the code of another release cannot replay its history. Undefined if it does
 * not fail. Rejects if Temporal does not answer.
 */
export async function blockedBy(temporal: Client, jobId: string): Promise<string | undefined> {
  return temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    const { raw } = await temporal.workflow.getHandle(jobId).describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) < FAILING_ATTEMPT) return undefined;
    const { history } = await temporal.workflowService.getWorkflowExecutionHistoryReverse({
      namespace: temporal.options.namespace,
      execution: { workflowId: jobId },
      maximumPageSize: NEWEST_EVENTS,
    });
    // The history has the first failure of a row of them only.
    const failed = history?.events?.find(each => each.workflowTaskFailedEventAttributes);
    const message = failed?.workflowTaskFailedEventAttributes?.failure?.message;
    return message?.split('\n')[0]?.slice(0, 300) || 'its workflow task does not end';
  });
}
