import type { Client } from '@temporalio/client';
import { modelQueue } from './job.ts';

/** `temporal.api.enums.v1.TaskQueueType`. */
const [WORKFLOWS, ACTIVITIES] = [1, 2] as const;
/** A poll ends after a minute and is made again: who polled last before that is gone. */
const POLLED_WITHIN_MS = 90_000;

/**
 * Whether workers poll a task queue, for workflows, for activities and for model calls, which
 * the workers of 0.1.0 do not. One that was killed counts for up to 90 seconds. Rejects if Temporal cannot be reached.
 */
export async function isPolled(
  { connection, options: { namespace } }: Client,
  taskQueue: string,
  deadline: number,
): Promise<boolean> {
  const polls = [
    { name: taskQueue, type: WORKFLOWS },
    { name: taskQueue, type: ACTIVITIES },
    { name: modelQueue(taskQueue), type: ACTIVITIES },
  ];
  // All answers are waited for: a call that is left behind tries again on a closed connection.
  const asked = await connection.withDeadline(deadline, () =>
    Promise.allSettled(
      polls.map(({ name, type: taskQueueType }) =>
        connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name },
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
