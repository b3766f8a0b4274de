import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { checkSite } from '../check-site.ts';
import { findSites, type KnownSite, readSite, SITE_KINDS } from '../kinds/registry.ts';
import type { SiteSource } from '../kinds/site-kind.ts';
import { folderSource } from './folder-source.ts';
import { annotation, asJson, type Finding, report, summary } from './report.ts';

export interface CheckOptions {
  kind?: string;
  json?: boolean;
  anchors?: boolean;
  all?: boolean;
  format?: string;
}

/** Gives a command the arguments of the check. */
export function withCheckOptions(command: Command): Command {
  return command
    .argument('[folder]', 'a checkout of the docs repository', '.')
    .description('find broken links, anchors, navigation entries and redirects of a docs site')
    .option('--kind <kind>', `site kind, if the detected one is wrong: ${SITE_KINDS.join(', ')}`)
    .option('--json', 'print pages, navigation, redirects and findings as JSON')
    .option('--anchors', 'with --json: the heading ids of every page as well')
    .option('--all', "also report what the site's own build does not check, as warnings")
    .option('--format <format>', '"github" prints annotations for GitHub Actions');
}

/**
 * Checks a folder and prints what is wrong. The answer is why the command fails: a sentence, empty
 * if everything is printed; undefined if there is no error. `findMore` finds what else is wrong.
 */
export async function checkFolder(
  folder: string,
  options: CheckOptions,
  findMore?: (source: SiteSource, site: KnownSite) => Promise<Finding[]>,
): Promise<string | undefined> {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) return `There is no folder ${folder}.`;
  const source = folderSource(path);
  const site = siteOf(source, folder, options.kind);
  if (typeof site === 'string') return site;
  const more = (await findMore?.(source, site)) ?? [];
  const findings: Finding[] = [...checkSite(source, site, options.all), ...more];
  for (const line of linesOf(site, findings, folder, options)) process.stdout.write(`${line}\n`);
  if (!findings.some(finding => finding.severity === 'error')) return undefined;
  return options.json ? '' : summary(findings);
}

function linesOf(
  site: KnownSite,
  findings: readonly Finding[],
  folder: string,
  { json, anchors, format }: CheckOptions,
): string[] {
  if (json) return [JSON.stringify(asJson(site, findings, anchors))];
  return format === 'github'
    ? findings.map(finding => annotation(finding, folder))
    : report(site, findings);
}

/** The site, or a sentence on why there is none. */
function siteOf(source: SiteSource, folder: string, kind: string | undefined): KnownSite | string {
  const found = findSites(source);
  const wanted = kind === undefined ? found[0] : found.find(one => one.kind === kind);
  const site = wanted && readSite(source, wanted);
  if (site) return site;
  const kinds = [...new Set(found.map(one => one.kind))].join(', ');
  return kind === undefined
    ? `${folder} contains ${unreadFormat(source) ?? 'no docs: no Markdown pages were found.'}`
    : `${folder} contains no ${kind} site. Found: ${kinds === '' ? 'nothing' : kinds}.`;
}

function unreadFormat(source: SiteSource): string | undefined {
  const formats = { reStructuredText: /\.rst$/, AsciiDoc: /\.(?:adoc|asciidoc)$/ };
  const found = Object.entries(formats).find(([, ending]) =>
    source.paths.some(path => ending.test(path)),
  );
  return found && `only ${found[0]} pages, which are not read yet.`;
}
