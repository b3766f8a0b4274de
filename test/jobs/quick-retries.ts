import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** Workflows as they are, but what a tool waits between its attempts is short. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  outbound: [
    {
      async scheduleActivity(input, next) {
        const retry = { initialInterval: 30, maximumInterval: 30 };
        return await next({ ...input, options: { ...input.options, retry } });
      },
    },
  ],
});
