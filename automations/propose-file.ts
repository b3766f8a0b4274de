import { createHash } from 'node:crypto';
import { findProject } from '../db/projects/projects.ts';
import { RepositoryError } from '../hosts/repository-error.ts';
import type { AddInput } from '../shared/jobs/automation.ts';
import type { AutomationDeps } from './deps.ts';

const BRANCH_PREFIX = 'docent/add-automation-';

/**
 * Opens a pull request that adds an automation's file, and returns its link. The agent may not write
 * there, so that no page that it reads can make it schedule itself. A repeat finds what the first
 * attempt made. Throws `RepositoryError`.
 */
export async function proposeFile(
  { pool, hostFor }: AutomationDeps,
  { projectId, path, text, name }: AddInput,
  signal: AbortSignal,
): Promise<string> {
  const project = await findProject(pool, projectId);
  if (!project) throw new RepositoryError('repository_not_found', 'The project is gone.');
  const host = hostFor(project);
  const base = await host.resolveBranch(project, project.baseRef);
  if (base === null)
    throw new RepositoryError('ref_not_found', `There is no branch ${project.baseRef}.`);
  const head = branchFor(path, project.baseRef);
  const title = `Add the automation "${name}"`;
  const found = (await host.findPullRequests(project, head)).find(({ state }) => state === 'open');
  if (found) return found.url;
  const plan = {
    parent: base,
    changes: new Map([[path, Buffer.from(text)]]),
    message: `${title}\n`,
    time: Math.floor(Date.now() / 1000),
  };
  // Left by an attempt that died, or by a pull request that was closed.
  const left = await host.resolveBranch(project, head);
  if (left === null) await host.push(project, head, plan, null, signal);
  else await host.push(project, head, { ...plan, parent: left }, left, signal);
  const body =
    `Adds \`${path}\`. Docent runs it as soon as this is merged and indexed.\n\n` +
    'Change its trigger and its instruction in this pull request.';
  const pull = await host.openPullRequest(project, {
    ...{ title, body, head, base: project.baseRef, draft: false },
  });
  return pull.url;
}

/** Projects of one repository may differ in folder and base. */
function branchFor(path: string, baseRef: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
  const which = createHash('sha256').update(`${baseRef} ${path}`).digest('hex').slice(0, 6);
  return `${BRANCH_PREFIX}${name}-${which}`;
}
