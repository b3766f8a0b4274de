import type { Client } from '@temporalio/client';

/** `temporal.api.enums.v1.TaskQueueType`. */
const QUEUE_TYPES = { workflows: 1, activities: 2 } as const;
/** A poll ends after a minute and is made again: who polled last before that is gone. */
const POLLED_WITHIN_MS = 90_000;

/**
 * Whether workers poll a task queue, for workflows and for activities. One that was killed counts
 * for up to 90 seconds. Rejects if Temporal cannot be reached.
 */
export async function isPolled(
  { connection, options: { namespace } }: Client,
  taskQueue: string,
  deadline: number,
): Promise<boolean> {
  // Both answers are waited for: a call that is left behind tries again on a closed connection.
  const asked = await connection.withDeadline(deadline, () =>
    Promise.allSettled(
      Object.values(QUEUE_TYPES).map(taskQueueType =>
        connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType,
        }),
      ),
    ),
  );
  const answers = asked.map(answer => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
  const since = Date.now() - POLLED_WITHIN_MS;
  return answers.every(({ pollers }) =>
    pollers?.some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000 >= since),
  );
}
