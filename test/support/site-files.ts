import { checkSite, type SiteFinding } from '../../sites/check-site.ts';
import { findSites, readSite } from '../../sites/kinds/registry.ts';
import type { Site, SitePage, SiteSource } from '../../sites/kinds/site-kind.ts';
import { siteSource } from '../../sites/kinds/source.ts';

/** Path to text; an object is written as JSON. */
export type SiteFiles = Record<string, string | object>;

export interface TestSite {
  source: SiteSource;
  site: Site;
  /** Site path of each page by its file. */
  paths: Record<string, string>;
  urls: Record<string, string>;
  page(file: string): SitePage;
  /** Titles of the navigation with those above them: `Guides > Install`. */
  navigation: string[];
  /** Errors of the whole-site check: `file:line rule link`. */
  errors: string[];
  findings: SiteFinding[];
  /** `file:line message` of everything that could not be read. */
  unread: string[];
  ids(file: string): string[];
}

/** Reads a site that is written in a test, as the most likely kind. */
export function testSite(files: SiteFiles): TestSite {
  const source = sourceOf(files);
  const site = readSite(source);
  if (!site) throw new Error('No site was found.');
  const findings = checkSite(source, site);
  const byPage = (member: 'path' | 'url') =>
    Object.fromEntries(site.pages.map(one => [one.file, one[member]]));
  return {
    source,
    site,
    paths: byPage('path'),
    urls: byPage('url'),
    page: file => {
      const found = site.pages.find(one => one.file === file);
      if (!found) throw new Error(`${file} is not a page.`);
      return found;
    },
    navigation: site.navigation.map(({ title, crumbs }) => [...crumbs, title].join(' > ')),
    errors: findings
      .filter(({ severity }) => severity === 'error')
      .map(({ file, line, rule, link }) => `${file}:${line ?? '-'} ${rule} ${link}`),
    findings,
    unread: site.unread.map(({ file, line, message }) => `${file}:${line ?? '-'} ${message}`),
    ids: file => site.headingIds(site.outline(file)),
  };
}

export function sourceOf(files: SiteFiles): SiteSource {
  const texts = new Map(
    Object.entries(files).map(([path, text]) => [
      path,
      typeof text === 'string' ? text : JSON.stringify(text),
    ]),
  );
  return siteSource([...texts.keys()], path => texts.get(path));
}

/** The kinds that are found, the most likely one first, with their folder. */
export function foundKinds(files: SiteFiles): string[] {
  return findSites(sourceOf(files)).map(({ kind, root }) => `${kind} ${root}`.trim());
}

/** A page with front matter. */
export function page(frontMatter: Record<string, unknown>, body = ''): string {
  const lines = Object.entries(frontMatter).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  );
  return `---\n${lines.join('\n')}\n---\n\n${body}\n`;
}
