import type { Client } from '@temporalio/client';
import { newId } from '../../shared/ids.ts';
import type { Finding } from './finding.ts';

/** A queue has four partitions, and a poll asks any of them: it takes some for a clear answer. */
const BUSY = 60;
const QUIET = 20;
const ASKED = 20;
/** Of the quiet key, among those: about half with fairness, hardly any in the order of arrival. */
const ENOUGH = 4;
/** What a doctor that was killed leaves behind ends by itself. */
const ENDS_AFTER = '1 minute';
const DEADLINE_MS = 15_000;

/**
 * Whether the server lets each fairness key have its turn. No answer of its API tells, so it is
 * tried: workflows that nobody runs, on a queue of their own, many of one key and then a few of
 * another. Undefined if the server does not answer in time.
 */
export async function checkFairness(client: Client): Promise<Finding | undefined> {
  const taskQueue = `docent-doctor-${newId('q')}`;
  const idsOf = (key: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${taskQueue}-${key}-${n}`);
  const busy = idsOf('busy', BUSY);
  const quiet = idsOf('quiet', QUIET);
  try {
    return await client.withDeadline(Date.now() + DEADLINE_MS, async () => {
      await queue(client, taskQueue, 'busy', busy);
      await queue(client, taskQueue, 'quiet', quiet);
      const served = await firstServed(client, taskQueue);
      return finding(served.filter(id => quiet.includes(id)).length >= ENOUGH);
    });
  } catch {
    return undefined;
  } finally {
    await Promise.allSettled([...busy, ...quiet].map(id => remove(client, id)));
  }
}

async function queue(
  client: Client,
  taskQueue: string,
  fairnessKey: string,
  ids: string[],
): Promise<void> {
  await Promise.all(
    ids.map(workflowId =>
      client.workflow.start('doctorProbe', {
        workflowId,
        taskQueue,
        workflowExecutionTimeout: ENDS_AFTER,
        priority: { fairnessKey },
      }),
    ),
  );
}

/** The workflows whose tasks a worker would get first. */
async function firstServed(
  { connection, options: { namespace } }: Client,
  taskQueue: string,
): Promise<string[]> {
  const served: string[] = [];
  while (served.length < ASKED) {
    const { workflowExecution } = await connection.workflowService.pollWorkflowTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      identity: 'docent doctor',
    });
    served.push(workflowExecution?.workflowId ?? '');
  }
  return served;
}

async function remove(
  { connection, options: { namespace } }: Client,
  workflowId: string,
): Promise<void> {
  await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    connection.workflowService.deleteWorkflowExecution({
      namespace,
      workflowExecution: { workflowId },
    }),
  );
}

function finding(isFair: boolean): Finding {
  return {
    name: 'fairness',
    state: isFair ? 'ok' : 'note',
    says: isFair
      ? 'each project has its turn when many jobs wait'
      : 'off: a project with many waiting jobs delays all others; set matching.useNewMatcher and ' +
        "matching.enableFairness in the Temporal server's dynamic configuration",
  };
}
