import {
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type ActivityInboundCallsInterceptor,
  type ActivityExecuteInput,
  type Next,
} from '@temporalio/worker';
import type { Config } from '../shared/config.ts';
import type { JobActivities } from '../shared/jobs/activity-types.ts';
import { modelQueue } from '../shared/jobs/job.ts';
import type { Context } from '@temporalio/activity';
import { encryptsPayloads, workerConverter } from '../shared/secrets/payload-codec.ts';
import { traced, traceIdOfTurn } from '../shared/traces/tracing.ts';
import { setMaxListeners } from 'node:events';
import { toFailure, withoutText } from '../activities/failures.ts';
import { beatAgain } from '../activities/progress.ts';

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
    // Jobs rest for weeks. By default thousands fill the heap before one is dropped.
    maxCachedWorkflows: 500,
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
    dataConverter: workerConverter(config),
    ...(identity && { identity }),
    // Heartbeats are throttled to 0.8 of their time-out, and cancellation arrives with them: a
    // cancel would wait that long.
    maxHeartbeatThrottleInterval: '2s',
    defaultHeartbeatThrottleInterval: '1s',
    // The default of 0 cuts model calls off at once.
    shutdownGraceTime: `${config.WORKER_SHUTDOWN_GRACE_SECONDS}s`,
    shutdownForceTime: `${config.WORKER_SHUTDOWN_GRACE_SECONDS + 15}s`,
    activityTaskPollerBehavior: { type: 'autoscaling' },
    interceptors: {
      activity: [
        traceActivities,
        context => activityInterceptor(context, encryptsPayloads(config)),
      ],
    },
  } satisfies Partial<WorkerOptions>;
}

/** A span for each attempt of an activity, in the trace of its job's turn. */
function traceActivities({ info }: Context): { inbound: ActivityInboundCallsInterceptor } {
  return {
    inbound: {
      async execute(input, next) {
        const job = positionOf(input.args[0]);
        return traced(
          {
            name: `activity ${info.activityType}`,
            kind: 'internal',
            attributes: {
              'temporal.activity_type': info.activityType,
              'docent.attempt': info.attempt,
              ...(job && {
                'gen_ai.conversation.id': job.jobId,
                'docent.turn': job.turn,
                'docent.step': job.step,
              }),
            },
            ...(job && { traceId: traceIdOfTurn(job.jobId, job.turn) }),
          },
          () => next(input),
        );
      },
    },
  };
}

/** Undefined for activities of no job, such as indexing. */
function positionOf(input: unknown): { jobId: string; turn: number; step: number } | undefined {
  const { jobId, turn, step } = (input ?? {}) as Record<string, unknown>;
  if (typeof jobId !== 'string' || typeof turn !== 'number' || typeof step !== 'number')
    return undefined;
  return { jobId, turn, step };
}

/**
 * Around every activity: beats at an interval (a model that thinks emits nothing for minutes, and
 * cancellation arrives with a beat's answer), and turns what is thrown into a failure of our table.
 * The full error goes to the log. `encrypts`: the failure's text is a payload.
 */
function activityInterceptor(
  context: Context,
  encrypts: boolean,
): { inbound: ActivityInboundCallsInterceptor } {
  return {
    inbound: {
      async execute(
        input: ActivityExecuteInput,
        next: Next<ActivityInboundCallsInterceptor, 'execute'>,
      ): Promise<unknown> {
        const timeout = context.info.heartbeatTimeoutMs ?? 0;
        // Everything that an activity waits for listens to its one signal; a dozen at once is not
        // a leak.
        setMaxListeners(0, context.cancellationSignal);
        const beat =
          timeout > 0
            ? setInterval(() => beatAgain(context), Math.max(250, timeout / 3))
            : undefined;
        try {
          return await next(input);
        } catch (error) {
          const failure = toFailure(error);
          if (failure !== error) context.log.error('activity failed', { error });
          failure.stack = ''; // it would be in the history, with the paths of this machine
          throw encrypts ? withoutText(failure) : failure;
        } finally {
          clearInterval(beat);
        }
      },
    },
  };
}
