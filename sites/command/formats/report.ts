import { styleText } from 'node:util';
import type { SiteFinding } from '../../check-site.ts';
import { type KnownSite, kindTitle } from '../../kinds/registry.ts';
import type { ApiPage, Site } from '../../kinds/site-kind.ts';
import { shown } from './shown.ts';

/** A finding of the site, or of what is checked beside it. */
export type Finding = Omit<SiteFinding, 'rule' | 'severity'> & {
  rule: string;
  severity: SiteFinding['severity'] | 'suggestion';
};

export interface CheckedSite {
  /** Undefined: no kind fits, the built site alone was judged. */
  site: KnownSite | undefined;
  /** Where the HTML is that was judged, and how many pages it has. */
  built?: { place: string; pages: number };
  findings: Finding[];
  /** For people: what was not checked. */
  notes: string[];
}

/** The form that scripts read; see docs/operate/check.md. */
export function asJson({ site, findings }: CheckedSite, anchors = false) {
  const found = findings.map(({ severity, ...finding }) => ({ ...finding, severity }));
  if (!site) return { kind: null, pages: [], findings: found };
  const { kind, docsFolder, basePath } = site;
  return {
    kind,
    docsFolder,
    basePath,
    pages: site.pages.map(page => ({
      file: page.file,
      path: page.path,
      url: page.url,
      language: page.language,
      version: page.version,
      inNavigation: page.inNavigation,
      title: page.title,
      crumbs: page.crumbs,
      draft: page.draft,
    })),
    ...(site.apiPages && { apiPages: site.apiPages.map(withoutText) }),
    navigation: site.navigation,
    redirects: site.redirects,
    ...(anchors && { anchors: anchorsOf(site) }),
    complete: site.unread.length === 0,
    unread: site.unread,
    findings: found,
  };
}

function withoutText(page: ApiPage): Omit<ApiPage, 'text'> {
  const { file, operations, path, url, title, crumbs, language, version } = page;
  return { file, operations, path, url, title, crumbs, language, version };
}

function anchorsOf(site: Site): Record<string, string[]> {
  return Object.fromEntries(
    site.pages.map(page => [page.path, site.headingIds(site.outline(page.file))]),
  );
}

/** The lines for people. */
export function report({ site, built, findings, notes }: CheckedSite): string[] {
  return [
    ...headings(site, built),
    ...findings.map(({ severity, rule, file, line, link, message }) => {
      const mark = paint(severity === 'error' ? 'red' : 'yellow', severity);
      const named = link === null ? rule : `${rule} ${link}`;
      return `${mark}  ${shown(`${placeOf(file, line)}  ${named}: ${message}`)}`;
    }),
    ...(findings.length === 0 ? ['No problems found.'] : []),
    ...notes.map(shown),
  ];
}

/** What the site is, how many pages it has, and what of it could not be read. */
function headings(site: KnownSite | undefined, built: CheckedSite['built']): string[] {
  const folder = shown(site?.docsFolder || 'the top folder');
  const place = site ? `${paint('bold', kindTitle(site.kind))} in ${folder}` : undefined;
  if (built || !site) {
    const html = shown(`${counted(built?.pages ?? 0, 'HTML page')} in ${built?.place}`);
    return [place === undefined ? html : `${place}: ${html}`];
  }
  const operations = site.apiPages ? `, ${counted(site.apiPages.length, 'API operation')}` : '';
  return [
    `${place}: ${counted(site.pages.length, 'page')}${operations}`,
    ...site.unread.map(
      ({ file, line, message }) =>
        `${paint('yellow', 'not read')}  ${shown(`${placeOf(file, line)}  ${message}`)}`,
    ),
  ];
}

function placeOf(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}

export function summary(findings: readonly Finding[]): string {
  const errors = findings.filter(finding => finding.severity === 'error').length;
  return `${counted(errors, 'error')} found.`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Coloured in a terminal, plain in a pipe or file. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY ? styleText(style, text) : text;
}
