import { mayHaveGenerator } from '../../shared/search/read-published-site.ts';
import { navigationFile } from '../../shared/site/navigation.ts';
import type { ProjectFolder } from '../../shared/site/project-site.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import { openWorkspace } from '../workspace.ts';
import { askSite } from './ask-site.ts';
import { otherFormats, type SiteDescription } from './site-questions.ts';

/** Whether a generator may build the site, whose own rules then hold. */
export function mayBeGenerated(
  { entries }: Snapshot,
  { docsFolder, kind }: ProjectFolder,
): boolean {
  if (kind) return kind !== 'docs.json' && kind !== 'folder';
  const navigation = navigationFile(path => entries.has(path), docsFolder);
  return navigation === undefined && mayHaveGenerator(entries.keys());
}

/** What the prompt says of a site. */
export async function describeSite(
  snapshot: Snapshot,
  project: ProjectFolder,
): Promise<SiteDescription> {
  if (mayBeGenerated(snapshot, project))
    return askSite(openWorkspace(snapshot, new Map()), project, { kind: 'describe' });
  const { docsFolder } = project;
  const navigation = navigationFile(path => snapshot.entries.has(path), docsFolder);
  return {
    kind: navigation === undefined ? 'folder' : 'docs.json',
    title: navigation === undefined ? 'a plain folder of pages' : 'docs.json',
    docsFolder,
    basePath: '/',
    addressRule:
      'A page has the path of its file without the ending; index and README are their folder.',
    navigationRule:
      navigation === undefined
        ? 'There is no navigation file: readers follow the lists of links in README pages.'
        : `The navigation is in ${navigation}, which names pages by path.`,
    navigationFiles: navigation === undefined ? [] : [navigation],
    configFiles: [],
    unread: [],
    otherFormats: otherFormats([...snapshot.entries.keys()], docsFolder),
  };
}
