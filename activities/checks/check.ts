import { isPagePath } from '../../shared/site/markdown.ts';
import type { ProjectFolder } from '../../shared/site/project-site.ts';
import type { Workspace } from '../../shared/workspace.ts';
import { askSite } from '../site/ask-site.ts';
import { mayBeGenerated } from '../site/may-be-generated.ts';
import type { Finding } from './finding.ts';
import { checkInbound } from './inbound.ts';
import { checkNavigation } from './navigation.ts';
import { checkPage } from './pages.ts';
import { BaseView, type SiteView, workspaceView } from './site-view.ts';

/**
 * What the job broke: findings on its changed files, and on pages it left alone whose links it cut.
 * What was wrong in the base is not reported. `paths` limits the answer to these files. Sorted by
 * path and line.
 */
export async function checkWorkspace(
  workspace: Workspace,
  project: ProjectFolder,
  paths?: readonly string[],
): Promise<Finding[]> {
  const changes = await workspace.changes();
  if (changes.size === 0) return [];
  const { docsFolder } = project;
  if (mayBeGenerated(workspace.snapshot, project)) {
    const answer = await askSite(workspace, project, { kind: 'check' });
    if (answer.kind !== 'folder' && answer.kind !== 'docs.json')
      return answer.findings.filter(({ path }) => !paths || paths.includes(path));
  }
  const base = BaseView.of(workspace.snapshot, docsFolder);
  const now = workspaceView(workspace, docsFolder);
  const deleted = new Set(
    [...changes].flatMap(([path, content]) => (content === null ? [path] : [])),
  );
  const moved = await mistakesOf(deleted, base);

  const findings: Finding[] = [];
  for (const [path, content] of changes) {
    if (content === null || !isPagePath(path) || (paths && !paths.includes(path))) continue;
    findings.push(...(await checkPage(path, content.toString('utf8'), now, base, moved)));
  }
  const added = [...changes.keys()].filter(path => !base.site.has(path));
  findings.push(
    ...(await checkNavigation(added, now, base)),
    ...(await checkInbound(new Set(changes.keys()), deleted, now, base)),
  );
  return findings
    .filter(({ path }) => !paths || paths.includes(path))
    .sort((a, b) => a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0));
}

/**
 * Keys of the broken links that deleted pages had: where such a page was moved, they are not this
 * job's.
 */
async function mistakesOf(deleted: ReadonlySet<string>, base: SiteView): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const path of deleted) {
    if (!isPagePath(path)) continue;
    for (const { url } of (await base.facts(path))?.links ?? []) {
      const problem = await base.linkProblem(url, path);
      if (problem) keys.add(problem.key);
    }
  }
  return keys;
}
