import type { OutlineLink } from './outline/page-outline.ts';
import { onceForEach } from './kinds/includes.ts';
import { madeByBuild } from './ignored-paths.ts';
import type { Site, SitePage, SiteSource } from './kinds/site-kind.ts';

/** Something that is broken on a site. */
export interface SiteFinding {
  rule: 'link' | 'anchor' | 'navigation' | 'redirect' | 'front-matter' | 'configuration' | 'orphan';
  /** `error`: the site's own strict build would fail, or a reader meets a dead end. */
  severity: 'error' | 'warning';
  /** The file that it is written in, also where a page includes that. */
  file: string;
  /** 1-based. */
  line: number | null;
  /** The page whose link it is, if another file has it. */
  page?: string;
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
  return judgeSite(source, site, all).findings;
}

/** The same, with how many links lead to headings of pages whose ids are not known. */
export function judgeSite(
  source: SiteSource,
  site: Site,
  all = false,
): { findings: SiteFinding[]; unjudged: number } {
  const anchors = anchorIndex(site);
  const isMade = madeByBuild(source, site);
  const findings = [
    ...site.problems.map(problem => ({ ...problem, severity: 'error' as const })),
    ...distinct(
      site.pages
        .flatMap(page => checkPage(site, page, anchors))
        .filter(finding => all || finding.severity === 'error')
        .filter(
          ({ rule, link, file, page }) => rule !== 'link' || !isMade(link ?? '', page ?? file),
        ),
    ),
    ...checkRedirects(site).filter(({ link, file }) => !isMade(link ?? '', file)),
    ...pagesOutsideNavigation(site),
  ];
  return { findings: findings.toSorted(byPlace), unjudged: anchors.unjudged };
}

export function byPlace(
  a: { file: string; line: number | null },
  b: { file: string; line: number | null },
): number {
  return (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0);
}

/** Several pages that include a file have the same fault in it: the first one counts. */
function distinct(findings: readonly SiteFinding[]): SiteFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, file, line, link, page }) => {
    if (page === undefined) return true;
    const key = [rule, file, line, link].join('\n');
    return !seen.has(key) && seen.add(key);
  });
}

/** Formats whose headings are read. */
const READ = /\.(?:mdx?|mdoc|markdown)$/i;

/** A name that a build replaces with an address, such as `ENGLISH_VERSION_URL`. */
const PLACEHOLDER = /^[A-Z][A-Z\d_]*_(?:ADDRESS|HREF|LINK|PATH|UR[IL])$/;

interface AnchorIndex {
  of(page: SitePage): ReadonlySet<string> | null;
  unjudged: number;
}

function anchorIndex(site: Site): AnchorIndex {
  const anchors = onceForEach(file => site.anchors(site.outline(file)));
  // Of a page in another format no heading was read.
  return { of: ({ file }) => (READ.test(file) ? anchors(file) : null), unjudged: 0 };
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
  const place = {
    ...{ file: link.file ?? page.file, line: link.line, link: link.url },
    ...(link.file !== undefined && { page: page.file }),
  };
  if (target.kind === 'missing') {
    if (isPlaceholder(site, page, link)) return undefined;
    if (link.isName && site.fileNamed?.(link.url, page.file) !== undefined) return undefined;
    const severity = isOwnCheck(site, link, 'links') ? 'error' : 'warning';
    return {
      rule: 'link',
      severity,
      ...place,
      message: `${target.path} does not exist${seenFrom(place)}.`,
    };
  }
  if (target.kind !== 'page' || target.anchor === null) return undefined;
  // Browsers handle #top and text fragments themselves, scripts what looks like a path.
  if (target.anchor === 'top' || /^(?::~:|!?\/)/.test(target.anchor)) return undefined;
  const known = anchors.of(target.page);
  if (known === null) anchors.unjudged += 1;
  if (known === null || known.has(target.anchor)) return undefined;
  const severity = isOwnCheck(site, link, 'anchors') ? 'error' : 'warning';
  const message = `${target.page.file} has no heading #${target.anchor}.`;
  return { rule: 'anchor', severity, ...place, message };
}

/** A page of that name means that the link is one to it, without its ending. */
function isPlaceholder(site: Site, page: SitePage, { kind, url }: OutlineLink): boolean {
  const isFile = (name: string) => ['page', 'file'].includes(site.resolve(name, page.file).kind);
  return kind === 'link' && PLACEHOLDER.test(url) && !isFile(`${url}.md`) && !isFile(`${url}.mdx`);
}

/** Whether the site's own build looks at such a link. */
function isOwnCheck(
  { ownChecks }: Site,
  { kind, element, url }: OutlineLink,
  check: 'links' | 'anchors',
): boolean {
  if (ownChecks[check] === 'none' || ownChecks.leavesOut?.(url)) return false;
  if (kind === 'image' && !ownChecks.images) return false;
  return element === undefined || ownChecks.elements.includes(element);
}

function seenFrom({ page }: { page?: string }): string {
  return page === undefined ? '' : `, seen from ${page}, which includes this file`;
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
  if (site.ownChecks.orphans === 'none' || site.unread.length > 0) return [];
  if (outside.length > pages.length / 4) return [];
  return outside.map(({ file }) => ({
    rule: 'orphan',
    severity: 'warning',
    file,
    line: null,
    link: null,
    message: 'No navigation entry leads to this page.',
  }));
}
