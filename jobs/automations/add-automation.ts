import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { automationPath } from '../../automations/read-files.ts';
import { fileFor, readyMade } from '../../automations/ready-made.ts';
import type { Project } from '../../db/projects/projects.ts';
import { ADD_WORKFLOW, type AddInput } from '../../shared/jobs/automation.ts';
import type { Config } from '../../shared/config.ts';
import type { ContextRepository } from '../../shared/context-repositories.ts';
import { Problem } from '../../shared/errors.ts';
import { taskPriority } from '../../shared/jobs/task-priority.ts';

/** So long a request waits for the worker. */
const WITHIN_MS = 20_000;

/**
 * Opens a pull request that adds a ready-made automation; its link. Throws 400, 409, and 503 if no
 * worker answers.
 */
export async function addReadyMade(
  { config, temporal }: { config: Config; temporal: Client },
  project: Project,
  id: string,
): Promise<string> {
  const known = await readyMade();
  const wanted = known.find(each => each.id === id);
  if (!wanted)
    throw new Problem(
      'invalid_request',
      `There is no ready-made automation "${id}". Known: ${known.map(each => each.id).join(', ')}.`,
    );
  const context = (project.settings['contextRepositories'] ?? []) as ContextRepository[];
  if (wanted.needsRepository && context.length === 0)
    throw new Problem(
      'conflict',
      'This automation watches a context repository, and the project has none: add one in its settings.',
    );
  const input: AddInput = {
    projectId: project.id,
    path: automationPath(project.docsFolder, id),
    text: fileFor(wanted, context),
    name: wanted.name,
  };
  const handle = await temporal.workflow.start(ADD_WORKFLOW, {
    workflowId: `add-automation-${project.id}-${id}`,
    taskQueue: config.TASK_QUEUE,
    args: [input],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowExecutionTimeout: '1h',
    priority: taskPriority(project.id, 'person'),
    staticSummary: `${project.domain}: add ${wanted.name}`,
  });
  const late = delay(WITHIN_MS, undefined, { ref: false });
  const link = await Promise.race([handle.result() as Promise<string>, late]);
  if (link === undefined)
    throw new Problem('unavailable', 'No worker has opened the pull request yet; try again.');
  return link;
}
