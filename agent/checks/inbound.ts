import { resolveLink } from '../../sites/resolve-link.ts';
import { isPagePath } from '../../sites/markdown.ts';
import type { Finding } from './finding.ts';
import { linkFinding } from './pages.ts';
import type { BaseView, SiteView } from './site-view.ts';

/**
 * Links in pages that the job left alone, to files that it deleted and headings that it took away.
 * `changed` are the job's paths, `deleted` those of them that are gone.
 */
export async function checkInbound(
  changed: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
  now: SiteView,
  base: BaseView,
): Promise<Finding[]> {
  const targets = new Set(deleted);
  for (const path of changed)
    if (!deleted.has(path) && (await lostAnchors(path, now, base))) targets.add(path);
  const lostRoutes = await redirectsWereLost(now, base);
  if (targets.size === 0 && !lostRoutes) return [];

  const findings: Finding[] = [];
  for (const [path, urls] of await base.links()) {
    if (changed.has(path) || !urls.some(url => concerns(url, path, targets, lostRoutes, base)))
      continue;
    for (const link of (await now.facts(path))?.links ?? []) {
      const problem = await now.linkProblem(link.url, path);
      if (problem && (await base.linkProblem(link.url, path)) === undefined)
        findings.push(linkFinding(path, link, problem, now));
    }
  }
  return findings;
}

function concerns(
  url: string,
  path: string,
  targets: ReadonlySet<string>,
  lostRoutes: boolean,
  base: BaseView,
): boolean {
  const target = resolveLink(url, path, base.site);
  if (target.kind === 'external') return false;
  return target.file === undefined
    ? lostRoutes
    : targets.has(target.file) ||
        (!url.startsWith('#') && isLostFolder(target.file, targets, base));
}

/** A link to a folder is lost with the folder's last file. */
function isLostFolder(file: string, targets: ReadonlySet<string>, base: BaseView): boolean {
  return !base.site.has(file) && [...targets].some(target => target.startsWith(`${file}/`));
}

async function lostAnchors(path: string, now: SiteView, base: BaseView): Promise<boolean> {
  if (!base.site.has(path) || !isPagePath(path)) return false;
  const [before, after] = await Promise.all([base.facts(path), now.facts(path)]);
  return [...(before?.anchors ?? [])].some(anchor => !after?.anchors.has(anchor));
}

async function redirectsWereLost(now: SiteView, base: BaseView): Promise<boolean> {
  const [before, after] = await Promise.all([base.navigation(), now.navigation()]);
  const sources = new Set(after.redirects.map(({ source }) => source));
  return before.redirects.some(({ source }) => !sources.has(source));
}
