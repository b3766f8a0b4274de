import {
  type ActivityInterfaceFor,
  type ActivityOptions,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { JobActivities, JobTools } from '../shared/jobs/activity-types.ts';
import { modelQueue } from '../shared/jobs/job.ts';

/** A job's activities, grouped by retry policy. */
export interface TurnActivities {
  model: ActivityInterfaceFor<Pick<JobActivities, 'callModel'>>;
  tools: ActivityInterfaceFor<JobTools>;
  host: ActivityInterfaceFor<
    Pick<JobActivities, 'prepare' | 'planPublish' | 'push' | 'openPullRequest'>
  >;
  store: ActivityInterfaceFor<
    Pick<
      JobActivities,
      | 'readInstructions'
      | 'storeInstructions'
      | 'settleTurn'
      | 'reportTurn'
      | 'passWait'
      | 'archiveJob'
    >
  >;
}

/**
 * A call takes as long as its stream brings something; its client cuts a silent one, and a worker
 * that is gone misses its heartbeats. What fails is tried again for an hour
 * (activities/tell-retries.ts): a failure that came first after that much is the last.
 */
const MODEL: ActivityOptions = {
  startToCloseTimeout: '24h',
  scheduleToCloseTimeout: '26h',
  retry: { initialInterval: '2s', backoffCoefficient: 2, maximumInterval: '5m' },
};

/** Nobody waits longer for what is away. */
const OUTAGE = '24h';

/**
 * A tool's own failure is a result. What fails here is the database or the host, which come back, or
 * a worker: one that crashes time and again ends the turn (activities/count-crashes.ts).
 */
const TOOL: ActivityOptions = {
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: OUTAGE,
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};

/**
 * The network and the repository host: one that is away for hours, or asks to wait for one, must
 * not fail a job. The time alone decides, because a host may refuse often and briefly. One that
 * asks for patience names its own delay (activities/failures.ts); one that restarts is found again
 * soon.
 */
const HOST: ActivityOptions = {
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: OUTAGE,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' },
};

/**
 * Our own rows: Postgres comes back, and nothing else can be done meanwhile. `settleTurn` checks the
 * edits, too, which takes minutes on a large site.
 */
const STORE: ActivityOptions = {
  startToCloseTimeout: '10m',
  retry: { initialInterval: '500ms', maximumInterval: '10s' },
};

/** Indexing gives up after about an hour: the next request or the schedule begins again. */
export const INDEX: ActivityOptions = {
  // The first index of a large site takes minutes; staged pages stay staged, so a retry continues
  // from there.
  startToCloseTimeout: '1h',
  heartbeatTimeout: '30s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '2m',
    maximumAttempts: 30,
  },
};

/** What a site does wrong is a result; what fails here is a worker or the database. */
export const LOOK: ActivityOptions = {
  startToCloseTimeout: '30m',
  heartbeatTimeout: '30s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '10s', maximumInterval: '5m', maximumAttempts: 5 },
};

/** Rows, and repository hosts that may be away for hours: the run waits, for a day at most. */
export const AUTOMATION: ActivityOptions = {
  startToCloseTimeout: '10m',
  scheduleToCloseTimeout: OUTAGE,
  heartbeatTimeout: '30s',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '5m' },
};

/** One small model call: a run that cannot be judged for a day is not started. */
export const AUTOMATION_CALL: ActivityOptions = { ...AUTOMATION, scheduleToCloseTimeout: OUTAGE };

/**
 * Only timeouts and temporary errors are retried: activities/failures.ts marks permanent errors as
 * non-retryable.
 */
export function turnActivities(heartbeatSeconds: number): TurnActivities {
  const common = {
    // The SDK's real default abandons a cancelled activity, which would continue to write.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    heartbeatTimeout: heartbeatSeconds * 1000,
  } as const;
  return {
    // Slots of their own, so that slow models hold up no tools.
    model: proxyActivities({
      ...common,
      ...MODEL,
      taskQueue: modelQueue(workflowInfo().taskQueue),
    }),
    tools: proxyActivities<JobTools>({ ...common, ...TOOL }),
    host: proxyActivities({ ...common, ...HOST }),
    store: proxyActivities({ ...common, ...STORE }),
  };
}
