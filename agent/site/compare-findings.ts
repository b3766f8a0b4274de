import { brokenAnchor, brokenLink } from '../../shared/agent-text.ts';
import type { SiteFinding } from '../../sites/check-site.ts';
import { isPagePath } from '../../sites/markdown.ts';
import { folderOf, joinPath, isExternal, nameOf } from '../../sites/kinds/paths.ts';
import type { ProjectSite } from '../../sites/project-site.ts';
import type { Finding } from '../checks/finding.ts';
import { pageFindings } from '../checks/page-findings.ts';
import { nearestOf } from '../tools/near.ts';
import { type CheckedSite, ownFindings } from './checked-site.ts';
import { lostLinks } from './lost-links.ts';
import type { Site } from '../../sites/kinds/site-kind.ts';
import { linkForms } from './link-forms.ts';
import { fileOfLink } from './relink.ts';

/**
 * What is wrong with the site now and was not before. What led somewhere before and does not now is
 * an error, whether or not the site's own build looks at it. `changed` are the job's files, with
 * their texts or null. Sorted by file and line.
 */
export function newFindings(
  before: CheckedSite,
  now: CheckedSite,
  changed: ReadonlyMap<string, string | null>,
): Finding[] {
  const lostFile = lostNavigation(before, now);
  if (lostFile !== undefined) return [lostFile];
  const known = new Set(before.findings.map(keyOf));
  // A page that moved takes its mistakes along.
  const gone = before.findings.filter(({ file }) => changed.get(file) === null);
  const moved = new Set(gone.map(targetOf));
  const fresh = now.findings
    .filter(one => !known.has(keyOf(one)))
    .filter(one => before.source.has(one.file) || !moved.has(targetOf(one)))
    .filter(one => one.rule !== 'orphan' || changed.has(one.file) || wasListed(before, one.file));
  const lost = lostLinks(before, now, fresh, changed);
  // A new link to nowhere is an error where no build says what is looked at.
  const own = new Set(now.kind.isPlain ? now.findings : ownFindings(now));
  const hint = nearestOf(now.source.paths);
  const findings = [
    ...fresh.filter(one => own.has(one) && !lost.has(one)).map(one => asFinding(one, now, hint)),
    ...Array.from(lost, one => ({ ...asFinding(one, now, hint), severity: 'error' as const })),
  ];
  const pages = [...changed].flatMap(([path, text]) =>
    text !== null && isPagePath(path) ? pageFindings(path, text, before, now) : [],
  );
  return [...pages, ...findings, ...newOrphans(before, now, changed, findings)].toSorted(
    (a, b) => a.path.localeCompare(b.path) || (a.line ?? 0) - (b.line ?? 0),
  );
}

/** Without its navigation file, a site is one of another kind: then nothing else is worth a word. */
function lostNavigation(before: CheckedSite, now: CheckedSite): Finding | undefined {
  if (before.kind === now.kind) return undefined;
  const path = before.site.configFiles.find(
    file => before.source.has(file) && !now.source.has(file),
  );
  if (path === undefined) return undefined;
  const message = 'The navigation file is gone.';
  return { path, line: null, rule: 'navigation', severity: 'error', message };
}

/**
 * New pages that no entry leads to, where the pages of the base or of their folder are listed, or
 * the build stops at each.
 */
function newOrphans(
  before: CheckedSite,
  now: CheckedSite,
  changed: ReadonlyMap<string, string | null>,
  known: readonly Finding[],
): Finding[] {
  const listed = before.site.pages.filter(page => page.inNavigation);
  const { orphans } = now.site.ownChecks;
  if (orphans === 'none') return [];
  const isListed = orphans === 'stops' || listed.length >= (before.site.pages.length * 3) / 4;
  const folders = new Set(listed.map(({ file }) => folderOf(file)));
  return now.site.pages
    .filter(page => changed.has(page.file) && !before.source.has(page.file))
    .filter(page => isListed || folders.has(folderOf(page.file)))
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
export function allFindings(checked: CheckedSite): Finding[] {
  const hint = nearestOf(checked.source.paths);
  return ownFindings(checked).map(one => asFinding(one, checked, hint));
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
  { kind, site }: ProjectSite,
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
        severity: kind.isPlain ? 'error' : severity,
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

/**
 * What a link that leads nowhere may mean: the only page that has its name, written as the link is.
 * Undefined if no page has the name, or more than one.
 */
function suggestLink(site: Site, url: string, file: string): string | undefined {
  const [path = ''] = url.split(/[?#]/);
  const wanted = pageName(path);
  if (wanted === '' || isExternal(url)) return undefined;
  const language = site.pages.find(page => page.file === file)?.language;
  const named = site.pages.filter(page => pageName(page.file) === wanted);
  const same = named.length > 1 ? named.filter(page => page.language === language) : named;
  const [page] = same;
  if (!page || same.length > 1) return undefined;
  const move = {
    before: site,
    after: site,
    from: file,
    to: file,
    old: page.file,
    fresh: page.file,
  };
  const hasEnding = /\.\w+$/.test(path);
  return linkForms(url, move)
    .filter(form => form.startsWith('/') === path.startsWith('/'))
    .filter(form => /\.\w+(?:[?#/]|$)/.test(form) === hasEnding)
    .find(form => fileOfLink(site, { kind: 'link', url: form }, file) === page.file);
}

/** The name of a page's file; an index page has that of its folder. */
function pageName(path: string): string {
  const bare = path
    .replace(/\/$/, '')
    .replace(/\.(?:mdx?|markdown|html)$/i, '')
    .replace(/\/(?:_?index|README)$/i, '');
  return nameOf(bare).toLowerCase();
}
