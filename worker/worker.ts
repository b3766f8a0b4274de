import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { Config } from '../shared/config.ts';
import type { JobActivities } from '../shared/jobs/activity-types.ts';
import { modelQueue } from '../shared/jobs/job.ts';
import { activityInterceptor } from './heartbeat.ts';
import { traceActivities } from './trace-activities.ts';

export interface JobWorkerOptions {
  config: Config;
  connection: NativeConnection;
  /** The workflows' bundle, made once for each state of its sources. */
  bundlePath: string;
  activities: object;
  /** Shown in every row of a history; the default names host and process. */
  identity?: string;
}

const MODEL_CALL: keyof JobActivities = 'callModel';

/** What a process needs of its workers; `run()` them, `shutdown()` drains. */
export type JobWorker = Pick<Worker, 'run' | 'shutdown' | 'getState'>;

/**
 * A worker for the task queue, and one for that of model calls: a model that is slow for everybody
 * leaves the slots of tools free.
 */
export async function createWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const { config, bundlePath, activities } = options;
  const main = await Worker.create({
    ...common(options),
    taskQueue: config.TASK_QUEUE,
    workflowBundle: { codePath: bundlePath },
    activities, // those of a release before, too, whose model calls are on this queue
    maxConcurrentActivityTaskExecutions: config.WORKER_MAX_ACTIVITIES,
    // A running job would stall 10 s after a worker's death.
    stickyQueueScheduleToStartTimeout: '3s',
    workflowTaskPollerBehavior: { type: 'autoscaling' },
  });
  const both = [main, ...(await modelWorker(options))];
  const shutdown = () => {
    for (const worker of both) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    run: async () => {
      // One that fails takes the other with it.
      const running = both.map(worker => worker.run().finally(shutdown));
      const ends = await Promise.allSettled(running);
      for (const end of ends) if (end.status === 'rejected') throw end.reason as Error;
    },
    shutdown,
    getState: () => both.find(worker => worker.getState() !== 'RUNNING')?.getState() ?? 'RUNNING',
  };
}

/** None if only sites are indexed. */
async function modelWorker(options: JobWorkerOptions): Promise<Worker[]> {
  const { config, activities } = options;
  const calls = Object.entries(activities).filter(([name]) => name === MODEL_CALL);
  if (calls.length === 0) return [];
  const worker = await Worker.create({
    ...common(options),
    taskQueue: modelQueue(config.TASK_QUEUE),
    activities: Object.fromEntries(calls),
    maxConcurrentActivityTaskExecutions: config.WORKER_MAX_MODEL_CALLS,
  });
  return [worker];
}

function common({ config, connection, identity }: JobWorkerOptions) {
  return {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    ...(identity && { identity }),
    // Heartbeats are throttled to 0.8 of their time-out, and cancellation arrives with them: a
    // cancel would wait that long.
    maxHeartbeatThrottleInterval: '2s',
    defaultHeartbeatThrottleInterval: '1s',
    // The default of 0 cuts model calls off at once.
    shutdownGraceTime: `${config.WORKER_SHUTDOWN_GRACE_SECONDS}s`,
    shutdownForceTime: `${config.WORKER_SHUTDOWN_GRACE_SECONDS + 15}s`,
    activityTaskPollerBehavior: { type: 'autoscaling' },
    interceptors: { activity: [traceActivities, activityInterceptor] },
  } satisfies Partial<WorkerOptions>;
}
