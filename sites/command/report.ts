import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import type { SiteFinding } from '../check-site.ts';
import { type KnownSite, kindTitle } from '../kinds/registry.ts';
import type { ApiPage, Site } from '../kinds/site-kind.ts';

/** A finding of the site, or of what is checked beside it. */
export type Finding = Omit<SiteFinding, 'rule' | 'severity'> & {
  rule: string;
  severity: SiteFinding['severity'] | 'suggestion';
};

/** The form that scripts read; see docs/operate/check.md. */
export function asJson(site: KnownSite, findings: readonly Finding[], anchors = false) {
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
    findings: findings.map(({ severity, ...finding }) => ({ ...finding, severity })),
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
export function report(site: KnownSite, findings: readonly Finding[]): string[] {
  const folder = site.docsFolder === '' ? 'the top folder' : site.docsFolder;
  const operations = site.apiPages ? `, ${counted(site.apiPages.length, 'API operation')}` : '';
  const pages = `${counted(site.pages.length, 'page')}${operations}`;
  return [
    `${paint('bold', kindTitle(site.kind))} in ${folder}: ${pages}`,
    ...site.unread.map(
      ({ file, line, message }) =>
        `${paint('yellow', 'not read')}  ${placeOf(file, line)}  ${message}`,
    ),
    ...findings.map(({ severity, rule, file, line, link, message }) => {
      const mark = paint(severity === 'error' ? 'red' : 'yellow', severity);
      const named = link === null ? rule : `${rule} ${link}`;
      return `${mark}  ${placeOf(file, line)}  ${named}: ${message}`;
    }),
    ...(findings.length === 0 ? ['No problems found.'] : []),
  ];
}

function placeOf(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}

/** One line that GitHub Actions shows beside the file. */
export function annotation(finding: Finding, folder: string): string {
  const { severity, line, rule, link, message } = finding;
  // GitHub knows files from where the command runs, mostly the top of the repository.
  const here = relative('.', join(folder, finding.file)).replaceAll('\\', '/');
  const file = here.startsWith('../') ? finding.file : here;
  const escaped = (text: string) =>
    text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const place = `file=${property(file)}${line === null ? '' : `,line=${line}`}`;
  const text = `${link === null ? '' : `${link}: `}${message}`;
  const level = severity === 'suggestion' ? 'notice' : severity;
  return `::${level} ${place},title=${property(rule)}::${escaped(text)}`;
}

export function summary(findings: readonly Finding[]): string {
  const errors = findings.filter(finding => finding.severity === 'error').length;
  return `${counted(errors, 'error')} found.`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Coloured in a terminal, plain in a pipe or file. */
function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY ? styleText(style, text) : text;
}
