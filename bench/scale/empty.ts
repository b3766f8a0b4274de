import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { bundleWorkflowCode, NativeConnection, Worker } from '@temporalio/worker';

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
