import type { Snapshot, Workspace } from '../../shared/workspace.ts';
import { navigationFile } from '../../sites/navigation.ts';
import { readNavigation } from '../../sites/read-navigation.ts';
import { askSite } from '../site/ask-site.ts';
import type { PolicyProject } from './policy-project.ts';
import { textOf } from './text-of.ts';

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
  { docsFolder, siteKind }: PolicyProject,
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
    const isPart = path !== main;
    if (isPart && !(await isNavigationPart(path, snapshot, docsFolder))) return [ONLY];
    const question = { kind: 'docs-json-changes' as const, before, after, isPart };
    return await askSite(workspace, { docsFolder }, question);
  }
  const question = { kind: 'other-changes' as const, file: path, after };
  return (await askSite(workspace, { docsFolder, kind: siteKind ?? null }, question)) ?? [ONLY];
}

async function isNavigationPart(path: string, snapshot: Snapshot, docsFolder: string) {
  const { files } = await readNavigation(file => readText(snapshot, file), docsFolder);
  return files.includes(path);
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
