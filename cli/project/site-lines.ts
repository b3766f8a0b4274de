import { pageUrl } from '../../db/search/page-url.ts';
import type { SiteFacts } from '../../db/search/published-site.ts';
import { comparisonText } from '../../sites/published/comparison-text.ts';
import { kindTitle } from '../../sites/kinds/registry.ts';
import { counted } from '../../shared/text/counted.ts';

/** What was found of a site, line by line: a name and what it is. */
export function siteLines(site: SiteFacts, siteUrl: string | null): [name: string, is: string][] {
  const address = siteUrl ?? site.address;
  const url = (path: string) => pageUrl({ site_url: address, base_path: site.basePath }, path);
  return [
    ['kind', siteTitle(site)],
    ['docs folder', site.docsFolder || 'the repository’s root'],
    ['pages', pagesOf(site)],
    ['navigation', site.navigation === null ? 'by folder' : entries(site.navigation)],
    ['languages', languagesOf(site)],
    ...(site.versions.length > 0
      ? [['versions', site.versions.join(', ')] satisfies [string, string]]
      : []),
    ...site.examples.map((example): [string, string] => [
      'address',
      `${example.file} → ${url(example.url)}`,
    ]),
    ...(site.published
      ? [['published', comparisonText(site.published)] satisfies [string, string]]
      : []),
    ...notRead(site).map((line): [string, string] => ['not read', line]),
  ];
}

/** What builds the site. */
export function siteTitle({ kind, generator }: Pick<SiteFacts, 'kind' | 'generator'>): string {
  return generator ? `${generator}, read as ${kindTitle(kind)}` : kindTitle(kind);
}

/** What could not be read, a line each. */
export function notRead({ unread, unreadPages }: SiteFacts): string[] {
  return [
    ...(unreadPages === null ? [] : [unreadPages]),
    ...unread.map(
      ({ file, line, message }) => `${line === null ? file : `${file}:${line}`}  ${message}`,
    ),
  ];
}

function pagesOf({ pages, apiPages, leftOut }: SiteFacts): string {
  const parts = [
    String(pages),
    ...(apiPages === 0 ? [] : [`${apiPages} of them of an API`]),
    ...(leftOut === 0 ? [] : [`and ${leftOut} left out (drafts, posts, others)`]),
  ];
  return parts.join(', ');
}

function entries(count: number): string {
  return counted(count, 'entry', 'entries');
}

function languagesOf({ languages, defaultLanguage }: SiteFacts): string {
  if (languages.length === 0) return 'one';
  return languages
    .map(language => (language === defaultLanguage ? `${language} (default)` : language))
    .join(', ');
}
