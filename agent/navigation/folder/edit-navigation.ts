import { editLists } from '../entry-lists/edit-lists.ts';
import type { EntryList } from '../entry-lists/entry-list.ts';
import { entriesOf } from '../entry-lists/find-entry.ts';
import { markdownLists } from '../entry-lists/markdown-list.ts';
import { otherMetaChanges } from './meta-changes.ts';
import { editMetaFiles } from './meta-lists.ts';
import type { NavigationEditing } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';
import { listFileOf } from '../../../sites/kinds/folder/list-file.ts';
import { metaFilesOf } from '../../../sites/kinds/folder/meta-files.ts';
import { folderOf, nameOf } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';

/** A README that lists pages is all the navigation there is. Its links are those of a page. */
export const folderNavigation: NavigationEditing = {
  describe: (_source, site) => {
    const file = listFileOf(site);
    const metas = metaFilesOf(site);
    if (metas.length > 0)
      return { files: metas, rule: `Each folder lists its pages in ${nameOf(metas[0] ?? '')}.` };
    return file === undefined
      ? {
          files: [],
          rule: 'There is no navigation file: readers follow the lists of links in README pages.',
        }
      : { files: [file], rule: `The navigation is the list of links in ${file}.` };
  },
  edit(source, site, edit) {
    const listed = listFileOf(site);
    if (listed !== undefined && edit.kind !== 'add-redirect')
      return editLists(listsIn(source, listed, true), page => pageTitle(source, page), edit);
    if (metaFilesOf(site).length > 0 && edit.kind !== 'add-redirect')
      return editMetaFiles(source, site, edit);
    const none = { files: new Map<string, string>(), done: [], left: [] };
    // Links are updated as those of any page.
    if (edit.kind === 'move-page') return none;
    if (edit.kind === 'add-redirect')
      return { refused: 'A plain folder has no redirects: point the links at the page instead.' };
    const lists = readmeLists(source, site);
    if (edit.kind === 'remove-page' && edit.redirectTo !== undefined) return none;
    if (edit.kind === 'add-page' && !edit.position) {
      const own = lists.filter(list => folderOf(list.file) === folderOf(edit.file));
      if (own.length === 0)
        return { ...none, done: ['No README lists the pages of the folder: no entry is needed.'] };
      return editLists(own, file => pageTitle(source, file), edit);
    }
    if (lists.length === 0 && edit.kind === 'remove-page') return none;
    if (lists.length === 0)
      return { refused: 'No README lists pages, so there is no navigation to edit.' };
    return editLists(lists, file => pageTitle(source, file), edit);
  },
  otherChanges(site, file, before, after) {
    if (metaFilesOf(site).includes(file)) return otherMetaChanges(file, before, after);
    return listFileOf(site) === file ? [] : [`${file} is a page.`];
  },
};

/** READMEs and index pages with a list of links to pages, those of the top first. */
function readmeLists(source: SiteSource, site: Site): EntryList[] {
  const files = site.pages
    .map(page => page.file)
    .filter(file => /^(?:README|index)\.mdx?$/i.test(nameOf(file)))
    .toSorted((a, b) => a.split('/').length - b.split('/').length);
  return files.flatMap(file => {
    const lists = listsIn(source, file, false);
    const listed = [...entriesOf(lists)].filter(({ entry }) => source.has(entry.file ?? ''));
    return listed.length > 0 ? lists : [];
  });
}

function listsIn(source: SiteSource, file: string, allowsPlainGroups: boolean): EntryList[] {
  return markdownLists({
    ...{ file, text: source.read(file) ?? '', crumbs: [], allowsPlainGroups },
    titleOfFile: page => pageTitle(source, page),
    hasParts: false,
    allowsBareLinks: false,
  });
}
