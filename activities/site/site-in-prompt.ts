import { unreadPages } from '../../shared/search/unread-pages.ts';
import { navigationFile } from '../../shared/site/navigation.ts';
import type { ProjectFolder } from '../../shared/site/project-site.ts';
import type { Snapshot } from '../../shared/workspace.ts';
import { openWorkspace } from '../workspace.ts';
import { askSite } from './ask-site.ts';
import type { SiteDescription } from './site-questions.ts';

/** Where one of these files is, a generator builds the site; others need no reading. */
const MARKERS = new RegExp(
  '(?:^|/)(?:docusaurus\\.config\\.[cm]?[jt]s|astro\\.config\\.[cm]?[jt]s|' +
    'mkdocs\\.ya?ml|book\\.toml|conf\\.py|(?:hugo|config)\\.(?:toml|ya?ml|json)|' +
    '\\.vitepress/.*|config/_default/.*)$',
);

/** Whether a generator may build the site, whose own rules then hold. */
export function mayBeGenerated(
  { entries }: Snapshot,
  { docsFolder, kind }: ProjectFolder,
): boolean {
  if (kind) return kind !== 'docs.json' && kind !== 'folder';
  const navigation = navigationFile(path => entries.has(path), docsFolder);
  return navigation === undefined && [...entries.keys()].some(path => MARKERS.test(path));
}

/** What the prompt says of a site. */
export async function siteInPrompt(
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
    unreadPages: unreadPages({ paths: [...snapshot.entries.keys()] }, docsFolder),
  };
}
