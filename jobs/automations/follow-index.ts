import { automationsOnIndex } from '../../db/automations/automations.ts';
import { addRun } from '../../db/automations/runs.ts';
import type { Project } from '../../db/projects/projects.ts';
import type { ControlDeps } from './control.ts';
import { reconcileSchedules } from './schedules.ts';
import { startRun } from './start-run.ts';

/**
 * After an index: schedules follow what the files say now, and automations on the index get a run
 * for each commit. The sweep makes good what fails here.
 */
export async function followIndex(
  { pool, temporal, config, log }: ControlDeps,
  project: Project,
  commit: string,
): Promise<void> {
  const taskQueue = config.TASK_QUEUE;
  try {
    for (const automationId of await automationsOnIndex(pool, project.id)) {
      const cause = { kind: 'index', commit } as const;
      const id = await addRun(pool, { automationId, key: `index ${commit}`, cause });
      const summary = `${project.domain}: index at ${commit.slice(0, 10)}`;
      await startRun(temporal, taskQueue, { id, projectId: project.id, summary });
    }
    await reconcileSchedules({ pool, temporal, taskQueue, log });
  } catch (error) {
    log.warn({ err: error }, 'automations follow the index later');
  }
}
