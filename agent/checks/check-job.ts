import { baseOf } from '../../db/jobs/transcript.ts';
import type { JobProject } from '../../db/jobs/job-project.ts';
import { projectFolder } from '../../sites/project-site.ts';
import type { Workspace } from '../../shared/workspace.ts';
import type { ActivityDeps } from '../deps.ts';
import { checkWorkspace } from './check.ts';
import type { Finding } from './finding.ts';
import { checkChangedProse } from './prose.ts';

/**
 * All that the job broke: the site's findings, then those of its prose. `paths` limits the answer to
 * these files.
 */
export async function checkJob(
  deps: ActivityDeps,
  project: JobProject,
  { workspace, transcriptHead, signal }: Checked,
  paths?: readonly string[],
): Promise<Finding[]> {
  const folder = projectFolder(project);
  const findings = await checkWorkspace(workspace, folder, paths);
  const base = await baseOf(deps.pool, transcriptHead);
  const rulesFrom = await deps.hostFor(project).snapshot(project, base, signal);
  const prose = await checkChangedProse(workspace, rulesFrom, project.docsFolder, {
    program: deps.config.VALE_PATH,
    signal,
  });
  return [...findings, ...prose.filter(({ path, line }) => line === null || isIn(path, paths))];
}

export interface Checked {
  workspace: Workspace;
  transcriptHead: string | null;
  signal: AbortSignal;
}

function isIn(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.includes(path);
}
