import { existsSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { byPlace, judgeSite } from '../check-site.ts';
import type { KnownSite } from '../kinds/registry.ts';
import type { SiteSource } from '../kinds/site-kind.ts';
import { builtFindings } from './built/check-built.ts';
import { isServer } from './built/built-server.ts';
import { CannotCheck, type CheckOptions } from './check-options.ts';
import { externalFindings } from './external/external-links.ts';
import { folderSource } from './folder-source.ts';
import { printed } from './formats/print.ts';
import { type CheckedSite, counted, type Finding, summary } from './formats/report.ts';
import { shown } from './formats/shown.ts';
import { type Base, baseOf } from './left-out/base-source.ts';
import { baselineIn, readBaseline, withoutKnown, writeBaseline } from './left-out/baseline.ts';
import { commentTest, ignoreTest } from './left-out/ignore-rules.ts';
import { notKnown, otherSites } from './not-known.ts';
import { readSettings } from './settings-file.ts';
import { wantedSites } from './wanted-sites.ts';

export interface CheckProgram {
  /** Of the program, for formats that name it. */
  version: string;
  /** Finds what else is wrong with a site. */
  findMore?(source: SiteSource, site: KnownSite): Promise<Finding[]>;
}

/** How the check ended. 2: wrong use, or there was nothing to read. */
export interface CheckOutcome {
  exitCode: 0 | 1 | 2;
  /** For people, on the error output; '' if everything is printed. */
  message: string;
}

/** Checks a folder and prints what is wrong. */
export async function checkFolder(
  folder: string,
  given: CheckOptions,
  program: CheckProgram,
): Promise<CheckOutcome> {
  try {
    return await check(folder, given, program);
  } catch (error) {
    if (error instanceof CannotCheck) return { exitCode: 2, message: error.message };
    // Of the system: a folder in place of a file, say, or one that nobody may read.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return { exitCode: 2, message: shown(`A file cannot be read or written: ${error.message}.`) };
  }
}

async function check(
  folder: string,
  given: CheckOptions,
  program: CheckProgram,
): Promise<CheckOutcome> {
  const path = resolve(folder);
  if (!existsSync(path)) throw new CannotCheck(`There is no folder ${folder}.`);
  if (!statSync(path).isDirectory()) throw new CannotCheck(`${folder} is not a folder.`);
  const source = folderSource(path, folderInside(path, given.built));
  const settings = readSettings(source);
  const { baseline: named } = settings.options;
  const own = named === undefined ? {} : { baseline: baselineIn(folder, named) };
  const options = { ...settings.options, ...own, ...given };
  const rules = [...settings.ignore, ...(given.ignore ?? []).map(any => ({ any }))];
  const baseline = baselineFile(options);
  const base = options.changed === undefined ? undefined : baseOf(path, options.changed);
  const isIgnored = ignoreTest(rules);
  const isCommented = commentTest(source);
  const isLeftOut = (finding: Finding) => isIgnored(finding) || isCommented(finding);

  const checked =
    options.built === undefined
      ? await checkSources(source, folder, options, program, base)
      : [await checkBuilt(source, folder, options, options.built, base)];
  for (const one of checked) one.findings = one.findings.filter(finding => !isLeftOut(finding));
  const findings = checked.flatMap(one => one.findings);
  if (baseline !== undefined && options.updateBaseline) {
    writeBaseline(baseline, findings);
    return {
      exitCode: 0,
      message: shown(`The baseline ${baseline} has ${counted(findings.length, 'problem')}.`),
    };
  }
  if (baseline !== undefined) leaveOutKnown(checked, baseline, base !== undefined);
  for (const line of printed(checked, { ...options, folder, version: program.version }))
    process.stdout.write(`${line}\n`);
  return outcome(checked, options);
}

/** A built site that lies within the folder is not a part of its sources. */
function folderInside(folder: string, built: string | undefined): string | undefined {
  if (built === undefined || isServer(built)) return undefined;
  const inside = relative(folder, resolve(built)).replaceAll('\\', '/');
  return inside === '' || inside.startsWith('../') ? undefined : inside;
}

function baselineFile({ baseline, updateBaseline, changed }: CheckOptions): string | undefined {
  if (updateBaseline && changed !== undefined)
    throw new CannotCheck('--update-baseline needs all problems: leave out --changed.');
  if (updateBaseline && baseline === undefined)
    throw new CannotCheck('--update-baseline needs --baseline FILE.');
  return baseline;
}

function outcome(checked: readonly CheckedSite[], { json, format }: CheckOptions): CheckOutcome {
  const findings = checked.flatMap(one => one.findings);
  if (!findings.some(({ severity }) => severity === 'error')) return { exitCode: 0, message: '' };
  const isForPeople = !json && (format === undefined || format === 'text' || format === 'github');
  return { exitCode: 1, message: isForPeople ? summary(findings) : '' };
}

async function checkSources(
  source: SiteSource,
  folder: string,
  options: CheckOptions,
  { findMore }: CheckProgram,
  base: Base | undefined,
): Promise<CheckedSite[]> {
  const { sites, others } = wantedSites(source, folder, options);
  const known = base ? findingsOf(base.source, folder, options) : [];
  const checked: CheckedSite[] = [];
  for (const site of sites) {
    const { findings, unjudged } = judgeSite(source, site, options.all);
    const more = [
      ...((await findMore?.(source, site)) ?? []),
      ...(options.external ? await externalFindings(site) : []),
    ].filter(({ file }) => base?.changed.has(file) ?? true);
    const notes = [...otherSites(others), notKnown(site, unjudged, options)];
    checked.push({ site, findings: [...withoutKnown(findings, known).findings, ...more], notes });
  }
  return checked;
}

/** Of the sites as they were before the change; none where they cannot be read. */
function findingsOf(source: SiteSource, folder: string, options: CheckOptions): Finding[] {
  try {
    const { sites } = wantedSites(source, folder, options);
    return sites.flatMap(site => judgeSite(source, site, options.all).findings);
  } catch (error) {
    if (error instanceof CannotCheck) return [];
    throw error;
  }
}

async function checkBuilt(
  source: SiteSource,
  folder: string,
  options: CheckOptions,
  built: string,
  base: Base | undefined,
): Promise<CheckedSite> {
  const site = siteIfAny(source, folder, options);
  const { findings, pages, notes } = await builtFindings(source, site, built);
  // What led to a page that has gone is in files that did not change.
  const isWanted = ({ file }: Finding) => !base || base.hasLost || base.changed.has(file);
  return {
    site,
    built: { place: built, pages },
    findings: findings.filter(isWanted).toSorted(byPlace),
    notes,
  };
}

/** A built site can be judged without knowing what built it. */
function siteIfAny(
  source: SiteSource,
  folder: string,
  options: CheckOptions,
): KnownSite | undefined {
  try {
    return wantedSites(source, folder, options).sites[0];
  } catch (error) {
    if (error instanceof CannotCheck && options.kind === undefined && options.config === undefined)
      return undefined;
    throw error;
  }
}

function leaveOutKnown(checked: readonly CheckedSite[], baseline: string, isPart: boolean): void {
  let known = readBaseline(baseline);
  for (const one of checked) {
    const { findings, left } = withoutKnown(one.findings, known);
    one.findings = findings;
    known = left;
  }
  const last = checked.at(-1);
  // What is not reported is not fixed.
  if (known.length > 0 && last && !isPart)
    last.notes.unshift(
      `${counted(known.length, 'problem')} of ${baseline} fixed: --update-baseline removes what is gone.`,
    );
}
