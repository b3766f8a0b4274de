import { brokenAnchor, brokenLink } from '../../shared/agent-text.ts';
import { checkSite, type SiteFinding } from '../../sites/check-site.ts';
import { isPagePath } from '../../sites/markdown.ts';
import { folderOf, joinPath } from '../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';
import type { Finding } from '../checks/finding.ts';
import { pageFacts } from '../checks/page-facts.ts';
import { nearestOf } from '../tools/near.ts';
import { suggestLink } from './suggest-link.ts';

/** A site at one moment with what is wrong with it. */
export interface CheckedSite {
  source: SiteSource;
  site: Site;
  findings: SiteFinding[];
}

export function checkedSite(source: SiteSource, site: Site): CheckedSite {
  return { source, site, findings: checkSite(source, site) };
}

/**
 * What is wrong with the site now and was not before. `changed` are the job's files, with their
 * texts or null. Sorted by file and line.
 */
export function newFindings(
  before: CheckedSite,
  now: CheckedSite,
  changed: ReadonlyMap<string, string | null>,
): Finding[] {
  const known = new Set(before.findings.map(keyOf));
  // A page that moved takes its mistakes along.
  const gone = before.findings.filter(({ file }) => changed.get(file) === null);
  const moved = new Set(gone.map(targetOf));
  const hint = nearestOf(now.source.paths);
  const findings = now.findings
    .filter(one => !known.has(keyOf(one)))
    .filter(one => before.source.has(one.file) || !moved.has(targetOf(one)))
    .filter(one => one.rule !== 'orphan' || changed.has(one.file) || wasListed(before, one.file))
    .map(one => asFinding(one, now.site, hint));
  const pages = [...changed].flatMap(([path, text]) =>
    text !== null && isPagePath(path) ? pageFindings(path, text, before.source) : [],
  );
  return [...pages, ...findings, ...newOrphans(before, now, changed, findings)].toSorted(
    (a, b) => a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/**
 * New pages that no entry leads to, where the pages of the base are listed, or the build stops at
 * each.
 */
function newOrphans(
  before: CheckedSite,
  now: CheckedSite,
  changed: ReadonlyMap<string, string | null>,
  known: readonly Finding[],
): Finding[] {
  const listed = before.site.pages.filter(page => page.inNavigation).length;
  const { orphans } = now.site.ownChecks;
  const isListed = listed >= (before.site.pages.length * 3) / 4;
  if (orphans === 'none' || (orphans === 'warns' && !isListed)) return [];
  return now.site.pages
    .filter(page => changed.has(page.file) && !before.source.has(page.file))
    .filter(page => !page.inNavigation && !page.draft && !page.unlisted && page.kind !== 'blog')
    .filter(page => now.site.outline(page.file).frontMatter.orphan !== true)
    .filter(page => !known.some(one => one.path === page.file && one.rule === 'navigation'))
    .map(page => ({
      path: page.file,
      line: null,
      rule: 'navigation',
      severity: orphans === 'stops' ? 'error' : 'warning',
      message: 'No navigation entry leads to this new page.',
    }));
}

/** All that is wrong with a site. */
export function allFindings({ source, site, findings }: CheckedSite): Finding[] {
  const hint = nearestOf(source.paths);
  return findings.map(one => asFinding(one, site, hint));
}

/** Lines move: a finding is the same wherever in its file it is. */
function keyOf({ rule, file, link, message }: SiteFinding): string {
  return [rule, file, link ?? message].join('\n');
}

/** What a finding is about, whichever page it is on. */
function targetOf({ rule, file, link, message }: SiteFinding): string {
  const [path = '', anchor = ''] = (link ?? '').split('#');
  const target = path.startsWith('/') || link === null ? path : joinPath(folderOf(file), path);
  return [rule, target ?? message, anchor].join('\n');
}

function wasListed({ site }: CheckedSite, file: string): boolean {
  return site.pages.find(page => page.file === file)?.inNavigation === true;
}

function asFinding(
  { rule, severity, file, line, link, message, page = file }: SiteFinding,
  site: Site,
  nearest: (wanted: string, count: number) => string[],
): Finding {
  const near = rule === 'link' || rule === 'navigation' ? nearest(link ?? '', 2) : [];
  const hint = near.length === 0 ? '' : ` Nearest: ${near.join(', ')}.`;
  const place = { path: file, line };
  switch (rule) {
    case 'anchor':
      return {
        ...place,
        rule: 'anchor',
        severity: site.ownChecks.anchors === 'stops' ? severity : 'warning',
        message: brokenAnchor(link ?? '', message),
      };
    case 'link':
      return {
        ...place,
        rule: 'link',
        severity,
        message: `${brokenLink(link ?? '', suggestLink(site, link ?? '', page))}: ${message}${hint}`,
      };
    case 'front-matter':
      return { ...place, rule: 'frontmatter', severity, message };
    case 'orphan':
      return {
        ...place,
        rule: 'navigation',
        severity: site.ownChecks.orphans === 'stops' ? 'error' : severity,
        message,
      };
    case 'navigation':
    case 'redirect':
    case 'configuration':
      return { ...place, rule: 'navigation', severity, message: `${message}${hint}` };
  }
}

/** A changed page that cannot be parsed, or lost its title. */
function pageFindings(path: string, text: string, before: SiteSource): Finding[] {
  const findings: Finding[] = [];
  const { error } = pageFacts(path, text);
  const old = before.read(path);
  if (
    error &&
    error.rule !== 'frontmatter' &&
    (old === undefined || error.rule !== pageFacts(path, old).error?.rule)
  )
    findings.push({
      path,
      line: error.line,
      rule: error.rule,
      severity: 'error',
      message: error.message,
    });
  const title = /^(?:---|\+\+\+)\r?\n(?:(?!---|\+\+\+).*\r?\n)*?title\s*[:=]/;
  if (old !== undefined && title.test(old) && !title.test(text))
    findings.push({
      path,
      line: 1,
      rule: 'frontmatter',
      severity: 'error',
      message: 'The frontmatter no longer has `title`.',
    });
  return findings;
}
