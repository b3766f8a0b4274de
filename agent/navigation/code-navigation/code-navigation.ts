import type { NavigationChange, NavigationEdit, NavigationEditing } from '../navigation-edit.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import { Draft } from './draft.ts';
import type { Editing, Refusal } from './editing.ts';
import { addGroup, addPage, moveEntry, removeEntry, renameEntry } from './entry-edits.ts';
import { addRedirect, movePage, removePage } from './page-edits.ts';
import { entriesBelow, type WrittenNavigation } from './written-navigation.ts';

/** Reads what is written; `refused` says why nothing of it can be edited. */
export type ReadNavigation = (
  source: SiteSource,
  site: Site,
) => WrittenNavigation | { refused: string };

/** Navigation edits of the kinds whose configuration is code or JSON: it is parsed, never run. */
export function codeNavigation(
  read: ReadNavigation,
  otherChanges: NavigationEditing['otherChanges'],
): NavigationEditing {
  return {
    describe(source, site) {
      const written = read(source, site);
      if ('refused' in written) return { files: site.configFiles, rule: written.refused };
      const lists = written.lists.flatMap(list => [...entriesBelow(list.entries)]);
      const { redirectPlace: place } = written;
      const files = [
        ...lists.flatMap(({ slot }) => slot?.literal.file ?? []),
        ...('literal' in place ? [place.literal.file] : []),
      ];
      return { files: [...new Set([...written.files, ...files])], rule: written.rule };
    },
    edit: (source, site, edit) => edited(read, source, site, edit),
    otherChanges,
  };
}

function edited(
  read: ReadNavigation,
  source: SiteSource,
  site: Site,
  edit: NavigationEdit,
): NavigationChange {
  const first = read(source, site);
  if ('refused' in first) return first;
  const draft = new Draft(source);
  // Reading takes 20 ms for 1,000 pages, and the steps of an edit ask again and again.
  let last = { edits: 0, written: first };
  const editing: Editing = {
    draft,
    site,
    read: () => {
      if (last.edits === draft.edits) return last.written;
      const found = read(draft, site);
      // An edit of ours cannot make it unreadable; if it does, the checks of the result refuse.
      const written =
        'refused' in found ? { ...first, lists: [], redirects: [], mentions: [] } : found;
      last = { edits: draft.edits, written };
      return written;
    },
    done: [],
    left: [],
  };
  const refusal = step(editing, edit);
  if (refusal) return refusal;
  return { files: draft.texts, done: editing.done, left: editing.left };
}

function step(editing: Editing, edit: NavigationEdit): Refusal {
  switch (edit.kind) {
    case 'add-page':
      return addPage(editing, edit);
    case 'add-group':
      return addGroup(editing, edit);
    case 'move-entry':
      return moveEntry(editing, edit);
    case 'remove-entry':
      return removeEntry(editing, edit);
    case 'rename-entry':
      return renameEntry(editing, edit);
    case 'move-page':
      return movePage(editing, edit);
    case 'remove-page':
      return removePage(editing, edit);
    case 'add-redirect':
      return addRedirect(editing, edit);
  }
}
