import type { ActivityOptions } from '@temporalio/workflow';

/**
 * Activities by retry policy. `cancellationType` is named everywhere: the SDK's real default
 * abandons a cancelled activity, which would go on writing. Only the first failure counts for
 * permanent errors: activities/failures.ts marks those non-retryable.
 */
export function activityOptions(
  heartbeatSeconds: number,
): Record<'model' | 'tool' | 'host' | 'store', ActivityOptions> {
  const common = {
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    heartbeatTimeout: heartbeatSeconds * 1000,
  } as const;
  return {
    // A call may think for minutes; 429 and 529 pass within the hour or not at all.
    model: {
      ...common,
      startToCloseTimeout: '10m',
      scheduleToCloseTimeout: '1h',
      retry: {
        initialInterval: '2s',
        backoffCoefficient: 2,
        maximumInterval: '60s',
        maximumAttempts: 8,
      },
    },
    // A tool's own failure is a result; what fails here is a worker or the database.
    tool: {
      ...common,
      startToCloseTimeout: '2m',
      retry: { initialInterval: '500ms', maximumInterval: '10s', maximumAttempts: 20 },
    },
    // The network and the repository host: worth patience, not forever.
    host: {
      ...common,
      startToCloseTimeout: '10m',
      scheduleToCloseTimeout: '1h',
      retry: {
        initialInterval: '1s',
        backoffCoefficient: 2,
        maximumInterval: '30s',
        maximumAttempts: 10,
      },
    },
    // Our own rows: Postgres comes back, and nothing else can be done meanwhile.
    store: {
      ...common,
      startToCloseTimeout: '30s',
      retry: { initialInterval: '500ms', maximumInterval: '10s' },
    },
  };
}
