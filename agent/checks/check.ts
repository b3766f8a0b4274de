import { anyKinds, siteKind } from '../../sites/kinds/registry.ts';
import { navigationFile } from '../../sites/navigation.ts';
import type { ProjectFolder } from '../../sites/project-site.ts';
import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import { askSite } from '../site/ask-site.ts';
import type { Finding } from './finding.ts';

/** Where one of these files is, a generator builds the site; others need no reading. */
const MARKERS = anyKinds(({ isPlain, marker }) => (isPlain ? undefined : marker));

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

/** Whether a generator may build the site, whose own rules then hold. */
function mayBeGenerated({ entries }: Snapshot, { docsFolder, kind }: ProjectFolder): boolean {
  if (kind) return !siteKind(kind).isPlain;
  const navigation = navigationFile(path => entries.has(path), docsFolder);
  return navigation === undefined && [...entries.keys()].some(path => MARKERS.test(path));
}
