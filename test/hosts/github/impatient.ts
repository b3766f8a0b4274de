import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

const OF_HOST = new Set(['prepare', 'planPublish', 'push', 'openPullRequest']);

/**
 * Workflows as they are, but giving a repository host up after three quick tries, where they would
 * continue for a day.
 */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      async scheduleActivity(input, next) {
        const ofHost = OF_HOST.has(input.activityType);
        return await next(
          ofHost
            ? {
                ...input,
                options: {
                  ...input.options,
                  scheduleToCloseTimeout: '50s',
                  retry: { initialInterval: '50ms', backoffCoefficient: 1, maximumAttempts: 3 },
                },
              }
            : input,
        );
      },
    },
  ],
});
