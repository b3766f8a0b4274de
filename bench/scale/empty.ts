import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';
import { durations } from '../jobs/activity-times.ts';
import type { Installation } from './installation.ts';

/** Runs `work` beside a worker that runs empty workflows; gives it how to run one. */
export async function withEmptyWorkflows(
  address: string,
  activities: number,
  work: (runOne: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const taskQueue = 'bench-empty';
  const connection = await NativeConnection.connect({ address });
  const quiet = () => undefined;
  const workflowBundle = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, '..', 'empty-workflow.ts'),
    logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const worker = await Worker.create({
    ...{ connection, taskQueue, workflowBundle, maxConcurrentActivityTaskExecutions: 20 },
    activities: { nothing: async () => undefined },
  });
  const clientConnection = await Connection.connect({ address });
  const { workflow } = new Client({ connection: clientConnection });
  let started = 0;
  await worker.runUntil(
    work(async () => {
      const workflowId = `bench-empty-${started++}`;
      await workflow.execute('emptyWorkflow', { taskQueue, workflowId, args: [activities] });
    }),
  );
  await clientConnection.close();
  await connection.close();
}

/** How many activities a job of this installation has. */
export async function activitiesOfOneJob(installation: Installation): Promise<number> {
  const [project] = installation.projects;
  const id = await installation.create(project);
  await installation.done(project, id);
  // Its last workflow task ends a moment after its row rests.
  await delay(1_000);
  const connection = await Connection.connect({ address: installation.cluster.temporalAddress });
  const history = await new Client({ connection }).workflow.getHandle(id).fetchHistory();
  await connection.close();
  return durations(history).length;
}
