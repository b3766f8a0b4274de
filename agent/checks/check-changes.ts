import { isPagePath } from '../../sites/markdown.ts';
import type { Finding } from './finding.ts';
import { checkInbound } from './inbound.ts';
import { checkNavigation } from './navigation.ts';
import { checkPage } from './pages.ts';
import type { BaseView, SiteView } from './site-view.ts';

/**
 * What a job broke on a site that no generator builds: findings on its changed files, and on pages
 * it left alone whose links it cut. What was wrong in the base is not reported. Reads what the
 * changes can have broken. `changes` are texts by path, null where deleted. Sorted by path and line.
 */
export async function checkChanges(
  base: BaseView,
  now: SiteView,
  changes: ReadonlyMap<string, string | null>,
  paths?: readonly string[],
): Promise<Finding[]> {
  const deleted = new Set([...changes].flatMap(([path, text]) => (text === null ? [path] : [])));
  const moved = await mistakesOf(deleted, base);
  const findings: Finding[] = [];
  for (const [path, text] of changes) {
    if (text === null || !isPagePath(path) || (paths && !paths.includes(path))) continue;
    findings.push(...(await checkPage(path, text, { now, base, moved, changes })));
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
