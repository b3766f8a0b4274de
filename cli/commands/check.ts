import { existsSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { checkSite } from '../../sites/check-site.ts';
import { findSites, kindTitle, readSite } from '../../sites/kinds/registry.ts';
import {
  type ApiPage,
  type Site,
  SITE_KINDS,
  type SiteSource,
} from '../../sites/kinds/site-kind.ts';
import { folderSource } from '../../sites/kinds/source.ts';
import { counted } from '../../shared/text/counted.ts';
import { type CheckFinding, proseFindings } from '../check/prose.ts';
import type { Env } from '../connect/settings.ts';
import { CommandFailure } from '../output/failure.ts';
import { paint, print } from '../output/terminal.ts';

interface CheckOptions {
  kind?: string;
  json?: boolean;
  anchors?: boolean;
  all?: boolean;
  prose: boolean;
  format?: string;
}

/** `docent check`: what is broken on a docs site, with no server, database or key. */
export function registerCheck(program: Command, env: Env): void {
  program
    .command('check')
    .argument('[folder]', 'a checkout of the docs repository', '.')
    .description('find broken links, anchors, navigation entries and redirects of a docs site')
    .option('--kind <kind>', `site kind, if the detected one is wrong: ${SITE_KINDS.join(', ')}`)
    .option('--json', 'print pages, navigation, redirects and findings as JSON')
    .option('--anchors', 'with --json: the heading ids of every page as well')
    .option('--all', "also report what the site's own build does not check, as warnings")
    .option('--format <format>', '"github" prints annotations for GitHub Actions')
    .option('--no-prose', 'leave out the rules of .vale.ini')
    .action(async (folder: string, options: CheckOptions) => {
      const source = sourceOf(folder);
      const site = siteOf(source, folder, options.kind);
      const prose = options.prose
        ? await proseFindings(resolve(folder), source, site, env['VALE_PATH'])
        : [];
      const findings = [...checkSite(source, site, options.all), ...prose];
      if (options.json) print(JSON.stringify(asJson(site, findings, options.anchors)));
      else if (options.format === 'github')
        for (const one of findings) print(annotation(one, folder));
      else printReport(site, findings);
      if (findings.some(finding => finding.severity === 'error'))
        throw new CommandFailure(options.json ? '' : summary(findings));
    });
}

function sourceOf(folder: string): SiteSource {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new CommandFailure(`There is no folder ${folder}.`);
  return folderSource(path);
}

function siteOf(source: SiteSource, folder: string, kind: string | undefined): Site {
  const found = findSites(source);
  const wanted = kind === undefined ? found[0] : found.find(one => one.kind === kind);
  const site = wanted && readSite(source, wanted);
  if (site) return site;
  const kinds = [...new Set(found.map(one => one.kind))].join(', ');
  throw new CommandFailure(
    kind === undefined
      ? `${folder} contains ${unreadFormat(source) ?? 'no docs: no Markdown pages were found.'}`
      : `${folder} contains no ${kind} site. Found: ${kinds === '' ? 'nothing' : kinds}.`,
  );
}

function unreadFormat(source: SiteSource): string | undefined {
  const formats = { reStructuredText: /\.rst$/, AsciiDoc: /\.(?:adoc|asciidoc)$/ };
  const found = Object.entries(formats).find(([, ending]) =>
    source.paths.some(path => ending.test(path)),
  );
  return found && `only ${found[0]} pages, which are not read yet.`;
}

/** The form that scripts read; see docs/operate/check.md. */
function asJson(site: Site, findings: readonly CheckFinding[], anchors = false) {
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

function printReport(site: Site, findings: readonly CheckFinding[]): void {
  const folder = site.docsFolder === '' ? 'the top folder' : site.docsFolder;
  const operations = site.apiPages ? `, ${counted(site.apiPages.length, 'API operation')}` : '';
  const pages = `${counted(site.pages.length, 'page')}${operations}`;
  print(`${paint('bold', kindTitle(site.kind))} in ${folder}: ${pages}`);
  for (const { file, line, message } of site.unread)
    print(`${paint('yellow', 'not read')}  ${placeOf(file, line)}  ${message}`);
  for (const { severity, rule, file, line, link, message } of findings) {
    const mark = paint(severity === 'error' ? 'red' : 'yellow', severity);
    print(`${mark}  ${placeOf(file, line)}  ${rule}${link === null ? '' : ` ${link}`}: ${message}`);
  }
  if (findings.length === 0) print('No problems found.');
}

function placeOf(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}

/** One line that GitHub Actions shows beside the file. */
function annotation(finding: CheckFinding, folder: string): string {
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

function summary(findings: readonly CheckFinding[]): string {
  const errors = findings.filter(finding => finding.severity === 'error').length;
  return `${counted(errors, 'error')} found.`;
}
