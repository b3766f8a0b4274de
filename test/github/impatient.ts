import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/**
 * Workflows as they are, but giving a repository host up after three quick tries, where they would
 * take minutes, and an hour at most.
 */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      async scheduleActivity(input, next) {
        const { retry, scheduleToCloseTimeout } = input.options;
        const ofHost = scheduleToCloseTimeout !== undefined && retry?.maximumAttempts === 10;
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
