import type { ProjectFolder } from '../../sites/project-site.ts';
import type { Workspace } from '../../shared/workspace.ts';
import { askSite } from '../site/ask-site.ts';
import type { Finding } from './finding.ts';

/**
 * What the job broke. `paths` limits the answer to these files. Sorted by path and line.
 */
export async function checkWorkspace(
  workspace: Workspace,
  project: ProjectFolder,
  paths?: readonly string[],
): Promise<Finding[]> {
  if ((await workspace.changes()).size === 0) return [];
  const { findings } = await askSite(workspace, project, { kind: 'check' });
  return findings.filter(({ path }) => !paths || paths.includes(path));
}
