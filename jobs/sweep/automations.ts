import type { Client } from '@temporalio/client';
import { withAdvisoryLock } from '../../db/advisory-lock.ts';
import { automationsToAsk, noteAsked } from '../../db/automations/automations.ts';
import { runsToStart, unfinishedRuns } from '../../db/automations/late-runs.ts';
import { changeRun } from '../../db/automations/runs.ts';
import type { Pool } from '../../db/pool.ts';
import type { Config } from '../../shared/config.ts';
import type { Log } from '../../shared/logger.ts';
import { reconcileSchedules } from '../automations/schedules.ts';
import { hasEnded, requestWatch, startRun } from '../automations/start-run.ts';
import { repeat } from './repeat.ts';

const LOCK = 7_363_624_203; // any constant: one process sweeps at a time
const EVERY_MS = 30_000;
/** A repository is asked so often where nothing tells us, and where a delivery may be lost. */
const ASK_MINUTES = { untold: 5, told: 60 };
/** A run without a workflow for so long was promised by a process that died. */
const LATE_SECONDS = 60;
/** A run that is not done after so long may have lost its workflow. */
const LONG_SECONDS = 3_600;
const LOST = 'Its workflow was ended from outside.';

export interface AutomationSweepDeps {
  config: Config;
  pool: Pool;
  temporal: Client;
  log: Log;
}

/** Sweeps every 30 seconds until it is stopped; `run` begins a sweep now. */
export function startAutomationSweeper(deps: AutomationSweepDeps): {
  run(): void;
  stop(): Promise<void>;
} {
  return repeat(
    EVERY_MS,
    stopping => sweepAutomations(deps, stopping),
    error => deps.log.warn({ err: error }, 'automations were not looked through'),
  );
}

/**
 * Updates Temporal's schedules, asks the watched repositories that were not asked
 * for long, and starts runs that nobody started.
 */
export async function sweepAutomations(
  deps: AutomationSweepDeps,
  stopping = new AbortController().signal,
): Promise<void> {
  const { pool, temporal, config, log } = deps;
  await withAdvisoryLock(pool, LOCK, async () => {
    await apart(log, [undefined], () =>
      reconcileSchedules({ pool, temporal, taskQueue: config.TASK_QUEUE, log, stopping }),
    );
    if (stopping.aborted) return;
    await apart(log, await automationsToAsk(pool, ASK_MINUTES), async automation => {
      await requestWatch(temporal, config.TASK_QUEUE, automation);
      await noteAsked(pool, automation.id);
    });
    await apart(log, await runsToStart(pool, LATE_SECONDS), run =>
      startRun(temporal, config.TASK_QUEUE, run),
    );
    await apart(log, await unfinishedRuns(pool, LONG_SECONDS), async ({ id, workflowId }) => {
      if (await hasEnded(temporal, workflowId))
        await changeRun(pool, id, { state: 'done', outcome: 'failed', reason: LOST });
    });
  });
}

/** One that fails does not keep the others from their turn. */
async function apart<T>(
  log: Log,
  all: readonly T[],
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (const one of all)
    await work(one).catch((error: unknown) =>
      log.warn({ err: error }, 'one of the automations was not looked at'),
    );
}
