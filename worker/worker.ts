import { type NativeConnection, Worker } from '@temporalio/worker';
import type { Config } from '../shared/config.ts';
import { activityInterceptor } from './heartbeat.ts';
import { traceActivities } from './trace-activities.ts';

export interface WorkerOptions {
  config: Config;
  connection: NativeConnection;
  /** The workflows' bundle, made once for each state of its sources. */
  bundlePath: string;
  activities: object;
  /** Shown in every row of a history; the default names host and process. */
  identity?: string;
}

/** A worker for the task queue; `run()` it, `shutdown()` drains. */
export async function createWorker({
  config,
  connection,
  bundlePath,
  activities,
  identity,
}: WorkerOptions): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TASK_QUEUE,
    workflowBundle: { codePath: bundlePath },
    activities,
    ...(identity && { identity }),
    maxConcurrentActivityTaskExecutions: config.WORKER_MAX_ACTIVITIES,
    // Heartbeats are throttled to 0.8 of their time-out, and cancellation arrives with them: a
    // cancel would wait that long.
    maxHeartbeatThrottleInterval: '2s',
    defaultHeartbeatThrottleInterval: '1s',
    // The default of 0 cuts model calls off at once.
    shutdownGraceTime: `${config.WORKER_SHUTDOWN_GRACE_SECONDS}s`,
    shutdownForceTime: `${config.WORKER_SHUTDOWN_GRACE_SECONDS + 15}s`,
    // A running job would stall 10 s after a worker's death.
    stickyQueueScheduleToStartTimeout: '3s',
    workflowTaskPollerBehavior: { type: 'autoscaling' },
    activityTaskPollerBehavior: { type: 'autoscaling' },
    interceptors: { activity: [traceActivities, activityInterceptor] },
  });
}
