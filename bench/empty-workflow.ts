import { proxyActivities } from '@temporalio/workflow';

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: '30s' });

/** The baseline: as many activities as a job has, each doing nothing. */
export async function emptyWorkflow(activities: number): Promise<void> {
  for (let i = 0; i < activities; i++) await nothing();
}
