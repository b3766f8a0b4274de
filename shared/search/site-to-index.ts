import { navigationFile } from '../site/navigation.ts';
import type { SiteKindName } from '../site/kinds/site-kind.ts';
import type { Snapshot } from '../workspace.ts';
import type { SiteFacts } from './published-site.ts';
import { mayHaveGenerator, readPublishedSite } from './read-published-site.ts';
import { type PageDraft, publishedPages, sitePages } from './site-pages.ts';

export interface SiteToIndex {
  snapshot: Snapshot;
  docsFolder: string;
  kind?: SiteKindName | null;
}

/**
 * The pages of a project's site. A docs.json site and a plain folder are read as they are; what
 * another generator builds, by the rules of its kind.
 */
export async function siteToIndex(
  { snapshot, docsFolder, kind = null }: SiteToIndex,
  signal?: AbortSignal,
): Promise<{ drafts: PageDraft[]; facts: SiteFacts }> {
  const navigation = navigationFile(path => snapshot.entries.has(path), docsFolder);
  const isPlain = kind === 'docs.json' || kind === 'folder' || (!kind && navigation !== undefined);
  if (!isPlain && mayHaveGenerator(snapshot.entries.keys())) {
    const site = await readPublishedSite(snapshot, { docsFolder, kind }, signal);
    if (site && site.facts.kind !== 'folder' && site.facts.kind !== 'docs.json')
      return { drafts: publishedPages(snapshot, site), facts: site.facts };
  }
  const drafts = await sitePages(snapshot, docsFolder);
  return { drafts, facts: plainFacts(docsFolder, navigation, drafts) };
}

function plainFacts(
  docsFolder: string,
  navigation: string | undefined,
  drafts: readonly PageDraft[],
): SiteFacts {
  return {
    kind: navigation === undefined ? 'folder' : 'docs.json',
    docsFolder,
    basePath: '/',
    address: null,
    addressRule:
      'A page has the path of its file without the ending; index and README are their folder.',
    configFiles: navigation === undefined ? [] : [navigation],
    pages: drafts.length,
    leftOut: 0,
    examples: drafts
      .filter(({ path }) => path !== '/')
      .slice(0, 2)
      .map(({ path }) => path),
    languages: [],
    defaultLanguage: null,
    versions: [],
    unread: [],
  };
}
