import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import {
  type Automation,
  automationsToSchedule,
  noteScheduled,
} from '../../db/automations/automations.ts';
import type { Pool } from '../../db/pool.ts';
import { RUN_WORKFLOW, SCHEDULE_PREFIX, scheduleId } from '../../shared/jobs/automation.ts';
import type { Log } from '../../shared/logger.ts';
import { taskPriority } from '../../shared/jobs/task-priority.ts';

const DEADLINE_MS = 5_000;
/**
 * What was due while everything was down is made good once: of several, the first starts and the
 * others overlap it.
 */
const CATCH_UP = '14 days';
/** Spread, so that a hundred automations do not all begin at nine. */
const JITTER_MS = 20_000;

export interface ScheduleDeps {
  pool: Pool;
  temporal: Client;
  taskQueue: string;
  log: Log;
}

/**
 * Makes Temporal's schedules those of the automations: new ones, changed ones, paused ones; those
 * that are gone are deleted, and those that Temporal lost are made again.
 */
export async function reconcileSchedules(deps: ScheduleDeps): Promise<void> {
  const [wanted, there] = await Promise.all([automationsToSchedule(deps.pool), scheduleIds(deps)]);
  for (const automation of wanted) {
    const id = scheduleId(automation.id);
    const key = automation.isLive ? scheduleKey(automation) : null;
    const isThere = there.delete(id);
    if (key === automation.scheduled && isThere === (key !== null)) continue;
    if (key === null) await deleteSchedule(deps.temporal, id);
    else await putSchedule(deps, automation, automation.domain);
    await noteScheduled(deps.pool, automation.id, key);
  }
  for (const id of there) {
    deps.log.warn({ schedule: id }, 'a schedule without an automation is deleted');
    await deleteSchedule(deps.temporal, id);
  }
}

/** What a schedule is made from: a change of it changes the schedule. */
function scheduleKey({ definition, pausedAt, name }: Automation): string {
  return JSON.stringify([definition?.trigger, pausedAt !== null, name]);
}

/** Of this installation: others may share the namespace. */
async function scheduleIds({ temporal, taskQueue }: ScheduleDeps): Promise<Set<string>> {
  return temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    const ids = new Set<string>();
    for await (const { scheduleId: id, memo } of temporal.schedule.list())
      if (id.startsWith(SCHEDULE_PREFIX) && memo?.['taskQueue'] === taskQueue) ids.add(id);
    return ids;
  });
}

async function putSchedule(
  { temporal, taskQueue }: ScheduleDeps,
  automation: Automation,
  domain: string,
): Promise<void> {
  const { definition, id, projectId, pausedAt } = automation;
  if (definition?.trigger.kind !== 'cron') return;
  const { cron, timezone } = definition.trigger;
  // The SDK sends a priority that its types do not know.
  const priority = { priority: taskPriority(projectId, 'automation') };
  const wanted = {
    spec: { cronExpressions: [cron], timezone, jitter: JITTER_MS },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: CATCH_UP },
    action: {
      type: 'startWorkflow',
      workflowType: RUN_WORKFLOW,
      workflowId: scheduleId(id),
      taskQueue,
      args: [{ automationId: id }],
      ...priority,
      staticSummary: `${domain}: ${definition.name}`.slice(0, 200),
    },
  } satisfies Omit<ScheduleOptions, 'scheduleId'>;
  const paused = pausedAt !== null;
  await temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    try {
      await temporal.schedule.create({
        scheduleId: scheduleId(id),
        ...wanted,
        memo: { taskQueue },
        state: { paused },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await temporal.schedule
        .getHandle(scheduleId(id))
        .update(found => ({ ...found, ...wanted, state: { ...found.state, paused } }));
    }
  });
}

/** None there is success. */
async function deleteSchedule(temporal: Client, id: string): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.schedule.getHandle(id).delete(),
    );
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
