import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
  type WorkflowHandleWithSignaledRunId,
} from '@temporalio/client';
import {
  INDEX_SIGNAL,
  INDEX_WORKFLOW,
  type IndexInput,
  type IndexReport,
  indexWorkflowId,
} from '../../shared/index-site.ts';
import { knownAttributes, typedAttributes } from '../../shared/jobs/search-attributes.ts';
import { schedulesOf } from '../../shared/jobs/schedule-client.ts';
import { taskPriority } from '../../shared/jobs/task-priority.ts';

/** Without a deadline the client keeps trying for half a minute while the server is away. */
const DEADLINE_MS = 5_000;

type IndexSite = (input: IndexInput) => Promise<IndexReport | null>;

export interface IndexedProject {
  id: string;
  domain: string;
}

/**
 * Asks for the project's newest commit to be indexed: starts the workflow, or tells the one that
 * runs. Await the handle's `result()` for the report. Rejects when Temporal is away.
 */
export async function requestIndex(
  temporal: Client,
  taskQueue: string,
  project: IndexedProject,
): Promise<WorkflowHandleWithSignaledRunId<IndexSite>> {
  const start = await workflow(temporal, taskQueue, project);
  return temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflow.signalWithStart<IndexSite>(INDEX_WORKFLOW, {
      ...start,
      signal: INDEX_SIGNAL,
    }),
  );
}

/**
 * Makes the project's schedule, or brings the one there is to this interval; whether it is paused
 * stays as it was.
 */
export async function ensureIndexSchedule(
  temporal: Client,
  taskQueue: string,
  project: IndexedProject,
  everyMinutes: number,
): Promise<void> {
  const wanted = {
    // Spread, so that a hundred sites do not all begin at the full hour.
    spec: { intervals: [{ every: everyMinutes * 60_000 }], jitter: everyMinutes * 6_000 },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1m' },
    action: {
      type: 'startWorkflow',
      workflowType: INDEX_WORKFLOW,
      ...(await workflow(temporal, taskQueue, project)),
    },
  } satisfies Omit<ScheduleOptions, 'scheduleId'>;
  await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    try {
      await schedulesOf(temporal).create({ scheduleId: indexWorkflowId(project.id), ...wanted });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await schedulesOf(temporal)
        .getHandle(indexWorkflowId(project.id))
        .update(found => ({ ...found, ...wanted }));
    }
  });
}

/** For a project that is deleted; none there is success. */
export async function deleteIndexSchedule(temporal: Client, projectId: string): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      schedulesOf(temporal).getHandle(indexWorkflowId(projectId)).delete(),
    );
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

async function workflow(temporal: Client, taskQueue: string, { id, domain }: IndexedProject) {
  return {
    workflowId: indexWorkflowId(id),
    taskQueue,
    args: [{ projectId: id, domain }] as [IndexInput],
    priority: taskPriority(id, 'indexing'),
    staticSummary: `${domain}: index the docs`,
    typedSearchAttributes: typedAttributes(await knownAttributes(temporal), { DocentProject: id }),
  };
}
