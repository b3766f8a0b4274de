import type { Client } from '@temporalio/client';
import {
  type Automation,
  lockAutomation,
  pauseAutomation,
  resumeAutomation,
  takeStandingJob,
} from '../../db/automations/automations.ts';
import { addRun, handRunsSince } from '../../db/automations/runs.ts';
import { type AuditActor, recordAudit } from '../../db/audit/audit-log.ts';
import { findJob, jobById } from '../../db/jobs/jobs.ts';
import { type Pool, transaction } from '../../db/pool.ts';
import type { Project } from '../../db/projects/projects.ts';
import type { Config } from '../../shared/config.ts';
import { Problem } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Log } from '../../shared/logger.ts';
import { jobLimitReached } from '../limits.ts';
import { reconcileSchedules } from './schedules.ts';
import { startRun } from './start-run.ts';
import { setTimeout as delay } from 'node:timers/promises';

export interface ControlDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
  log: Log;
}

export interface Controlled {
  project: Project;
  automation: Automation;
  actor: AuditActor;
}

/** Runs that people start within ten seconds. */
const MOST_AT_ONCE = 10;
const WINDOW_SECONDS = 10;
/** So long the answer waits for the job that it names. */
const JOB_WITHIN_MS = 5_000;
const LOOK_MS = 100;

/** Starts a run, also of an automation that is paused. Throws 409 and 429. */
export async function runNow(
  deps: ControlDeps,
  { project, automation, actor }: Controlled,
): Promise<{ runId: string; jobId: string }> {
  const { pool, temporal, config } = deps;
  if (automation.definition === null)
    throw new Problem('conflict', `This automation cannot run. ${automation.problem ?? ''}`.trim());
  const standing = automation.jobId === null ? undefined : await jobById(pool, automation.jobId);
  const instead = standing?.archivedAt ? standing.id : null;
  const made = await transaction(pool, async tx => {
    if (!(await lockAutomation(tx, automation.id)))
      throw new Problem('not_found', 'There is no such automation.');
    if ((await handRunsSince(tx, automation.id, WINDOW_SECONDS)) >= MOST_AT_ONCE)
      throw jobLimitReached(
        'automation-runs',
        MOST_AT_ONCE,
        WINDOW_SECONDS,
        `Limit exceeded: ${MOST_AT_ONCE} runs in ${WINDOW_SECONDS} seconds.`,
      );
    const jobId = await takeStandingJob(tx, automation.id, newId('job'), instead);
    const key = `hand ${newId('req')}`;
    const cause = { kind: 'hand' } as const;
    const runId = await addRun(tx, { automationId: automation.id, key, cause, jobId });
    await recordAudit(tx, project.organizationId, {
      action: 'automation.run',
      actor,
      subject: { kind: 'automation', id: automation.id, name: automation.name },
    });
    return { runId, jobId };
  });
  // Should this fail, the sweep starts it.
  await startRun(temporal, config.TASK_QUEUE, {
    id: made.runId,
    projectId: project.id,
    summary: `${project.domain}: ${automation.name}`,
  }).catch((error: unknown) => deps.log.warn({ err: error }, 'a run is started by the next sweep'));
  for (const end = Date.now() + JOB_WITHIN_MS; Date.now() < end; await delay(LOOK_MS))
    if (await findJob(pool, project.id, made.jobId)) break;
  return made;
}

/** Paused or resumed already is success. */
export async function setPaused(
  deps: ControlDeps,
  { project, automation, actor }: Controlled,
  paused: boolean,
): Promise<void> {
  await transaction(deps.pool, async tx => {
    if (paused) await pauseAutomation(tx, automation.id, null);
    else await resumeAutomation(tx, automation.id);
    await recordAudit(tx, project.organizationId, {
      action: paused ? 'automation.paused' : 'automation.resumed',
      actor,
      subject: { kind: 'automation', id: automation.id, name: automation.name },
    });
  });
  await followSchedules(deps);
}

/** What fails here the sweep makes good. */
async function followSchedules({ pool, temporal, config, log }: ControlDeps): Promise<void> {
  await reconcileSchedules({ pool, temporal, taskQueue: config.TASK_QUEUE, log }).catch(
    (error: unknown) => log.warn({ err: error }, 'schedules are updated later'),
  );
}
