import type { OutlineLink } from './outline/page-outline.ts';
import { madeByBuild } from './ignored-paths.ts';
import type { Site, SitePage, SiteSource } from './kinds/site-kind.ts';

/** Something that is broken on a site. */
export interface SiteFinding {
  rule: 'link' | 'anchor' | 'navigation' | 'redirect' | 'front-matter' | 'configuration' | 'orphan';
  /** `error`: the site's own strict build would fail, or a reader meets a dead end. */
  severity: 'error' | 'warning';
  file: string;
  /** 1-based. */
  line: number | null;
  /** The link or entry as written. */
  link: string | null;
  message: string;
}

/**
 * Checks a whole site. Sorted by file and line. Links that the site's own strict build does not
 * look at (anchors in VitePress, HTML in MkDocs) are left out unless `all` is set: then they are
 * warnings.
 */
export function checkSite(source: SiteSource, site: Site, all = false): SiteFinding[] {
  const anchors = anchorIndex(site);
  const isMade = madeByBuild(source, site);
  const findings = [
    ...site.problems.map(problem => ({ ...problem, severity: 'error' as const })),
    ...site.pages
      .flatMap(page => checkPage(site, page, anchors))
      .filter(finding => all || finding.severity === 'error')
      .filter(({ rule, link, file }) => rule !== 'link' || !isMade(link ?? '', file)),
    ...checkRedirects(site).filter(({ link, file }) => !isMade(link ?? '', file)),
    ...pagesOutsideNavigation(site),
  ];
  return findings.toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
  );
}

type AnchorIndex = (page: SitePage) => ReadonlySet<string> | null;

function anchorIndex(site: Site): AnchorIndex {
  const known = new Map<string, ReadonlySet<string> | null>();
  return ({ file }) => {
    if (!known.has(file)) known.set(file, site.anchors(site.outline(file)));
    return known.get(file) ?? null;
  };
}

function checkPage(site: Site, page: SitePage, anchors: AnchorIndex): SiteFinding[] {
  const outline = site.outline(page.file);
  const findings = outline.links.flatMap(link => checkLink(site, page, link, anchors) ?? []);
  if (outline.frontMatterError) {
    const { line, message } = outline.frontMatterError;
    const text = `The front matter cannot be read: ${message}`;
    const place = { file: page.file, line, link: null };
    const severity = site.ownChecks.frontMatter === false ? 'warning' : 'error';
    findings.push({ rule: 'front-matter', severity, ...place, message: text });
  }
  return findings;
}

function checkLink(
  site: Site,
  page: SitePage,
  link: OutlineLink,
  anchors: AnchorIndex,
): SiteFinding | undefined {
  if (link.kind === 'import') return undefined;
  const target = site.resolve(link.url, page.file);
  const place = { file: page.file, line: link.line, link: link.url };
  if (target.kind === 'missing') {
    const severity = isOwnCheck(site, link) ? 'error' : 'warning';
    return { rule: 'link', severity, ...place, message: `${target.path} does not exist.` };
  }
  if (target.kind !== 'page' || target.anchor === null) return undefined;
  // Browsers handle #top and text fragments themselves.
  if (target.anchor === 'top' || target.anchor.startsWith(':~:')) return undefined;
  const known = anchors(target.page);
  if (known === null || known.has(target.anchor)) return undefined;
  const severity =
    site.ownChecks.anchors !== 'none' && isOwnCheck(site, link) ? 'error' : 'warning';
  const message = `${target.page.file} has no heading #${target.anchor}.`;
  return { rule: 'anchor', severity, ...place, message };
}

/** Whether the site's own build looks at such a link. */
function isOwnCheck({ ownChecks }: Site, { kind, element }: OutlineLink): boolean {
  if (kind === 'image' && !ownChecks.images) return false;
  return element === undefined || ownChecks.elements.includes(element);
}

function checkRedirects(site: Site): SiteFinding[] {
  return site.redirects.flatMap(({ from, to, file, line }): SiteFinding[] => {
    if (/[*:]/.test(to) || !to.startsWith('/')) return [];
    const target = site.resolve(to, file);
    if (target.kind !== 'missing') return [];
    const message = `The redirect from ${from} leads to ${to}, which does not exist.`;
    return [{ rule: 'redirect', severity: 'error', file, line, link: to, message }];
  });
}

/**
 * Only where most pages are listed: otherwise leaving pages out is how the site works. Posts of a
 * blog and home pages are never listed.
 */
function pagesOutsideNavigation(site: Site): SiteFinding[] {
  const languages = site.pages.map(({ language }) => language ?? '');
  const locales = site.navigation.map(({ locale }) => locale ?? '');
  const homes = new Set([...languages, ...locales].map(one => `/${one}`));
  homes.add('/');
  const pages = site.pages.filter(
    page =>
      !page.draft && !page.unlisted && (page.kind ?? 'doc') === 'doc' && !homes.has(page.path),
  );
  const outside = pages.filter(page => !page.inNavigation);
  if (site.unread.length > 0 || outside.length > pages.length / 4) return [];
  return outside.map(({ file }) => ({
    rule: 'orphan',
    severity: 'warning',
    file,
    line: null,
    link: null,
    message: 'No navigation entry leads to this page.',
  }));
}
