import {
  type Client,
  isGrpcServiceError,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
  ServiceError,
} from '@temporalio/client';
import {
  type Automation,
  automationsToSchedule,
  noteProblem,
  noteScheduled,
} from '../../db/automations/automations.ts';
import { withAdvisoryLock } from '../../db/advisory-lock.ts';
import type { Pool } from '../../db/pool.ts';
import { RUN_WORKFLOW, SCHEDULE_PREFIX, scheduleId } from '../../shared/jobs/automation.ts';
import { schedulesOf } from '../../shared/jobs/schedule-client.ts';
import type { Log } from '../../shared/logger.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { orStopping } from '../sweep/repeat.ts';
import { taskPriority } from '../../shared/jobs/task-priority.ts';

const DEADLINE_MS = 5_000;
const LOCK = 'schedules of automations';
const LOCK_WITHIN_MS = 10_000;
const LOOK_MS = 100;
const INVALID_ARGUMENT = 3; // of gRPC
const REFUSED = 'Temporal refuses its schedule: check "on.cron" and "on.timezone".';
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
  stopping?: AbortSignal;
}

/**
 * Makes Temporal's schedules those of the automations: new ones, changed ones, paused ones; those
 * that are gone are deleted, and those that Temporal lost are made again.
 */
export async function reconcileSchedules(deps: ScheduleDeps): Promise<void> {
  // Two at once could each note what the other has overwritten.
  for (const end = Date.now() + LOCK_WITHIN_MS; Date.now() < end; await delay(LOOK_MS))
    if (await withAdvisoryLock(deps.pool, LOCK, () => reconcile(deps).then(() => true))) return;
  throw new Error('the schedules are being updated by others');
}

async function reconcile(deps: ScheduleDeps): Promise<void> {
  const { stopping = new AbortController().signal } = deps;
  const [wanted, there] = await Promise.all([
    automationsToSchedule(deps.pool),
    orStopping(stopping, () => scheduleIds(deps)),
  ]);
  for (const automation of wanted) {
    const id = scheduleId(automation.id);
    const key = automation.isLive ? scheduleKey(automation) : null;
    const isThere = there.delete(id);
    if (key === automation.scheduled && isThere === (key !== null)) continue;
    try {
      if (key === null) await deleteSchedule(deps.temporal, id);
      else await putSchedule(deps, automation, automation.domain);
      await noteScheduled(deps.pool, automation.id, key);
    } catch (error) {
      // One that Temporal refuses stops no other.
      deps.log.warn({ err: error, schedule: id }, 'a schedule is not updated');
      if (isInvalid(error)) await noteProblem(deps.pool, automation.id, REFUSED);
    }
  }
  for (const id of there) {
    deps.log.warn({ schedule: id }, 'a schedule without an automation is deleted');
    await deleteSchedule(deps.temporal, id);
  }
}

function isInvalid(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause)) return false;
  const code: number = cause.code;
  return code === INVALID_ARGUMENT;
}

/** What a schedule is made from: a change of it changes the schedule. */
function scheduleKey({ definition, pausedAt, name }: Automation): string {
  return JSON.stringify([definition?.trigger, pausedAt !== null, name]);
}

/** Of this installation: others may share the namespace. */
async function scheduleIds({ temporal, taskQueue }: ScheduleDeps): Promise<Set<string>> {
  return temporal.withDeadline(Date.now() + DEADLINE_MS, async () => {
    const ids = new Set<string>();
    for await (const { scheduleId: id, memo } of schedulesOf(temporal).list())
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
      await schedulesOf(temporal).create({
        scheduleId: scheduleId(id),
        ...wanted,
        memo: { taskQueue },
        state: { paused },
      });
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
      await schedulesOf(temporal)
        .getHandle(scheduleId(id))
        .update(found => ({ ...found, ...wanted, state: { ...found.state, paused } }));
    }
  });
}

/** None there is success. */
async function deleteSchedule(temporal: Client, id: string): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      schedulesOf(temporal).getHandle(id).delete(),
    );
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
