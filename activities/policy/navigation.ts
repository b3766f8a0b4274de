import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import type { SiteKind } from '../../shared/site/kinds/kind.ts';
import { findSites, KINDS } from '../../shared/site/kinds/registry.ts';
import type { Site, SiteSource } from '../../shared/site/kinds/site-kind.ts';
import { siteSource } from '../../shared/site/kinds/source.ts';
import { navigationFile } from '../../shared/site/navigation.ts';
import { readNavigation } from '../../shared/site/read-navigation.ts';
import { docsJsonChanges } from './docs-json.ts';
import type { PolicyProject } from './policy-project.ts';
import { textOf } from './text-of.ts';
import { isNavigationName } from './file-types.ts';

const ONLY = 'Only entries of the navigation and redirects within the site may change here.';

/**
 * What else than the navigation and redirects within the site a job changes in a file of the
 * navigation: one sentence each.
 * @param after null: the job deletes the file.
 */
export async function navigationChanges(
  path: string,
  after: string | null,
  workspace: Workspace,
  { docsFolder }: PolicyProject,
): Promise<string[]> {
  const { snapshot } = workspace;
  const before = await readText(snapshot, path);
  if (before === undefined)
    return after !== null && /(?:^|\/)_category_\.json$/.test(path)
      ? categoryChanges(after)
      : [ONLY];
  if (after === null) return ['The navigation may not be deleted.'];
  const main = navigationFile(file => snapshot.entries.has(file), docsFolder);
  if (main !== undefined) {
    const { files } = await readNavigation(file => readText(snapshot, file), docsFolder);
    if (!files.includes(path)) return [ONLY];
    const hasFile = (file: string) =>
      [file, `${docsFolder}/${file}`].some(one => workspace.has(one));
    return docsJsonChanges(before, after, { isPart: path !== main, hasFile });
  }
  const found = await baseSite(snapshot, docsFolder);
  if (!found?.files.includes(path)) return [ONLY];
  return found.kind.navigation.otherChanges(found.site, path, before, after);
}

interface BaseSite {
  kind: SiteKind;
  site: Site;
  /** Files that hold the navigation. */
  files: string[];
}

const sites = new WeakMap<Snapshot, Map<string, Promise<BaseSite | undefined>>>();

/** The site of a base by its configuration alone: no page is read. */
function baseSite(snapshot: Snapshot, docsFolder: string): Promise<BaseSite | undefined> {
  const known = sites.get(snapshot) ?? new Map<string, Promise<BaseSite | undefined>>();
  sites.set(snapshot, known);
  const site = known.get(docsFolder) ?? readBaseSite(snapshot, docsFolder);
  known.set(docsFolder, site);
  return site;
}

async function readBaseSite(snapshot: Snapshot, docsFolder: string): Promise<BaseSite | undefined> {
  const source = await configurationSource(snapshot);
  for (const found of findSites(source)) {
    const kind = KINDS.find(({ name }) => name === found.kind);
    const site = kind?.read(source, found);
    if (!kind || !site || !meets(site.docsFolder, docsFolder)) continue;
    return { kind, site, files: kind.navigation.describe(source, site).files };
  }
  return undefined;
}

async function configurationSource({ entries, read }: Snapshot): Promise<SiteSource> {
  const texts = new Map<string, string>();
  for (const [path, { mode, size }] of entries) {
    if (!mode.startsWith('100') || size > 512 * 1024 || !isNavigationName(path)) continue;
    texts.set(path, (await read(path))?.toString('utf8') ?? '');
  }
  const files = [...entries].filter(([, { mode }]) => mode.startsWith('100'));
  return siteSource(
    files.map(([path]) => path),
    path => texts.get(path) ?? '',
  );
}

/** Whether one of the folders is in the other. */
function meets(a: string, b: string): boolean {
  return a === b || a === '' || b === '' || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

async function readText(snapshot: Snapshot, path: string): Promise<string | undefined> {
  const content = snapshot.entries.has(path) ? await snapshot.read(path) : undefined;
  return content && textOf(content);
}

/** A category of Docusaurus: a label and a place, and no address. */
function categoryChanges(text: string): string[] {
  try {
    const { label, position, collapsed, collapsible, link, ...others } = JSON.parse(text) as Record<
      string,
      unknown
    >;
    const texts = JSON.stringify([label, link]);
    const plain = [position, collapsed, collapsible].every(one => typeof one !== 'object');
    return plain && Object.keys(others).length === 0 && !/<|\{\{|:\/\/|script:/i.test(texts)
      ? []
      : ['A category has a label, a position and a link within the site.'];
  } catch {
    return ['It is not valid JSON.'];
  }
}
