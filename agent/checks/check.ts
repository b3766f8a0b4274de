import type { ProjectFolder } from '../../sites/project-site.ts';
import type { Workspace } from '../../shared/workspace.ts';
import { askSite } from '../site/ask-site.ts';
import { mayBeGenerated } from '../site/may-be-generated.ts';
import type { Finding } from './finding.ts';

/**
 * What the job broke, in the thread of the site: by the rules of its generator, or as
 * `checkChanges` says. `paths` limits the answer to these files. Sorted by path and line.
 */
export async function checkWorkspace(
  workspace: Workspace,
  project: ProjectFolder,
  paths?: readonly string[],
): Promise<Finding[]> {
  if ((await workspace.changes()).size === 0) return [];
  if (mayBeGenerated(workspace.snapshot, project)) {
    const answer = await askSite(workspace, project, { kind: 'check' });
    if (!answer.isPlain)
      return answer.findings.filter(({ path }) => !paths || paths.includes(path));
  }
  return await askSite(workspace, project, { kind: 'check-changes', ...(paths && { paths }) });
}
