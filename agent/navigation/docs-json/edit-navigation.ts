import { parse } from 'jsonc-parser';
import { isExternal } from '../../../sites/kinds/paths.ts';
import type { NavigationChange, NavigationEdit, NavigationEditing } from '../navigation-edit.ts';
import type { Site } from '../../../sites/kinds/site-kind.ts';
import { JsonNavigationEditor, refused } from './json-navigation-editor.ts';
import { findJsonEntry, findJsonSlot, slotBeside, titleOf } from './find-place.ts';
import { insertion, removal } from './json-text.ts';

/** `docs.json` (or `mint.json`) with the files that its `$ref`s name. */
export const docsJsonNavigation: NavigationEditing = {
  describe: (_source, { configFiles: files }) => ({
    files,
    rule: `The navigation is in ${files.join(', ') || 'docs.json'}, which names pages by path.`,
  }),
  edit(source, site, edit) {
    if (site.configFiles.length === 0) {
      if (edit.kind === 'move-page' || edit.kind === 'remove-page')
        return { files: new Map(), done: [], left: [] };
      return { refused: 'The site has no docs.json, so there is no navigation to edit.' };
    }
    const editor = new JsonNavigationEditor(source, site);
    return change(editor, edit) ?? editor.save();
  },
  otherChanges: otherJsonChanges,
};

function change(editor: JsonNavigationEditor, edit: NavigationEdit): NavigationChange | undefined {
  switch (edit.kind) {
    case 'move-page':
      editor.retarget(edit.from, edit.to);
      if (edit.redirect) editor.redirect(editor.pathOf(edit.from), editor.pathOf(edit.to));
      return undefined;
    case 'remove-page':
      if (edit.redirectTo !== undefined)
        editor.redirect(editor.pathOf(edit.file), editor.pathOf(edit.redirectTo));
      editor.removePage(edit.file);
      return undefined;
    case 'add-redirect':
      editor.redirect(edit.from, edit.to.startsWith('/') ? edit.to : editor.pathOf(edit.to));
      return undefined;
    case 'add-page':
      return addPage(editor, edit);
    case 'add-group':
      return addGroup(editor, edit);
    case 'move-entry':
      return moveEntry(editor, edit);
    case 'remove-entry':
      return editor.removeEntry(edit.entry);
    case 'rename-entry':
      return editor.rename(edit.entry, edit.title);
  }
}

function addPage(
  editor: JsonNavigationEditor,
  { file, title, position }: Extract<NavigationEdit, { kind: 'add-page' }>,
): NavigationChange | undefined {
  const listed = findJsonEntry(editor.navigation, { file });
  if (!('refused' in listed))
    return refused(`${file} is in the navigation already, in ${listed.crumbs.join(' > ')}.`);
  const slot = position ? findJsonSlot(editor.navigation, position) : editor.slotNear(file);
  if ('refused' in slot) return slot;
  const like = slot.sibling?.page ?? '';
  const edit = insertion(
    editor.text(slot.file),
    slot.list,
    slot.index,
    editor.entryFor(like, file),
  );
  if (!edit || slot.list.at(-1) !== 'pages')
    return refused(`A page goes into a list of pages, which ${slot.file} does not have there.`);
  editor.put(slot.file, [edit]);
  editor.say(`Listed ${file} in ${slot.file}${slot.words}.`);
  if (title !== undefined)
    editor.say('The entry has the title of the page: set `title` or `sidebarTitle` there.');
  return undefined;
}

function addGroup(
  editor: JsonNavigationEditor,
  { title, pages, position }: Extract<NavigationEdit, { kind: 'add-group' }>,
): NavigationChange | undefined {
  const slot = position ? findJsonSlot(editor.navigation, position) : editor.lastGroup();
  if ('refused' in slot) return slot;
  // A level beside a tab is a tab, and has groups.
  const member = slot.sibling?.titleMember ?? 'group';
  if (!['pages', 'groups'].includes(String(slot.list.at(-1))))
    return refused(`A group goes beside groups or pages; there are ${String(slot.list.at(-1))}.`);
  const names = pages.map(file => editor.entryFor(editor.anyPage(), file));
  const name = slot.list.at(-1) === 'pages' ? 'group' : member;
  const fresh = insertion(editor.text(slot.file), slot.list, slot.index, {
    [name]: title,
    pages: names,
  });
  if (!fresh) return refused(`${slot.file} has no list of groups there.`);
  const index = Math.min(slot.index, editor.lengthOf(slot));
  editor.put(slot.file, [fresh]);
  // Afterwards: the place was found before anything moved.
  editor.unlist(pages, { ...slot, index });
  editor.say(`Added the group “${title}” to ${slot.file}${slot.words}.`);
  return undefined;
}

function moveEntry(
  editor: JsonNavigationEditor,
  { entry: reference, position }: Extract<NavigationEdit, { kind: 'move-entry' }>,
): NavigationChange | undefined {
  const entry = findJsonEntry(editor.navigation, reference);
  if ('refused' in entry) return entry;
  const own = slotBeside(entry, 0, '');
  if ('refused' in own) return own;
  const slot = findJsonSlot(editor.navigation, position);
  if ('refused' in slot) return slot;
  const inside = JSON.stringify(slot.list).startsWith(JSON.stringify(entry.pointer).slice(0, -1));
  if (slot.sibling === entry || (slot.file === entry.file && inside))
    return refused('An entry cannot go beside itself or into itself.');
  if (entry.page !== undefined && slot.list.at(-1) !== 'pages')
    return refused(`A page goes into a list of pages, not of ${String(slot.list.at(-1))}.`);
  if (entry.page === undefined && !['pages', own.list.at(-1)].includes(slot.list.at(-1)))
    return refused(`A level of ${String(own.list.at(-1))} cannot go there.`);
  const value: unknown = parse(editor.valueText(entry));
  const put = insertion(editor.text(slot.file), slot.list, slot.index, value);
  const cut = removal(editor.text(entry.file), entry.pointer);
  if (!put || !cut) return refused('There is no list of entries there.');
  if (slot.file === entry.file) editor.put(slot.file, [cut, put]);
  else {
    editor.put(slot.file, [put]);
    editor.put(entry.file, [cut]);
  }
  editor.say(`Moved “${titleOf(editor.navigation, entry)}” in ${slot.file}${slot.words}.`);
  return undefined;
}

/** What changes besides `navigation` and `redirects`; a file that a `$ref` names is all of it. */
function otherJsonChanges(_site: Site, file: string, before: string, after: string): string[] {
  const [old, now] = [before, after].map(parsed);
  if (now === undefined) return [`${file} is not valid JSON.`];
  const isMain = /(?:^|\/)(?:docs|mint)\.json$/.test(file);
  const found =
    isMain && JSON.stringify(withoutNavigation(old)) !== JSON.stringify(withoutNavigation(now))
      ? [`${file} changes more than navigation and redirects.`]
      : [];
  const known = new Set(redirectsOf(old).map(one => JSON.stringify(one)));
  for (const one of redirectsOf(now))
    if (isExternal(one.destination) && !known.has(JSON.stringify(one)))
      found.push(`${file} redirects ${one.source} to another site, ${one.destination}.`);
  return found;
}

function withoutNavigation(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).filter(([name]) => name !== 'navigation' && name !== 'redirects');
}

function redirectsOf(value: unknown): { source: string; destination: string }[] {
  const list: unknown = Array.isArray(value)
    ? value
    : (value as { redirects?: unknown } | null | undefined)?.redirects;
  return Array.isArray(list)
    ? list.flatMap((one: { source?: unknown; destination?: unknown } | null) =>
        typeof one?.destination === 'string'
          ? [{ source: String(one.source), destination: one.destination }]
          : [],
      )
    : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
