import { quoted, styleOf, writeShape, keyText } from './write-literal.ts';
import { insertPart } from './edit-literal.ts';
import type { Slot } from '../../../sites/code/static-value.ts';
import type { NavigationEdit } from '../navigation-edit.ts';
import { isExternal } from '../../../sites/kinds/paths.ts';
import type { Editing, Refusal } from './editing.ts';
import { addPage, removeAt, without } from './entry-edits.ts';
import { type Found, findAll, unreadSentence, usualPlace } from './find-place.ts';
import { filesIn, hasChangedAs } from './same-pages.ts';
import type { WrittenNavigation } from './written-navigation.ts';

type Edit<K extends NavigationEdit['kind']> = Extract<NavigationEdit, { kind: K }>;

/** Every entry, redirect and mention follows the page. */
export function movePage(editing: Editing, { from, to, redirect }: Edit<'move-page'>): Refusal {
  const { draft } = editing;
  draft.pretend(to, draft.read(from) ?? '');
  const nav = editing.read();
  const entries = findAll(nav.lists, one => one.file === from && one.slot !== undefined);
  const strays = entries.filter(one => nav.canName?.(to, one.entry) === false);
  const named = [
    ...entries.filter(one => !strays.includes(one)).map(one => one.entry),
    ...nav.mentions.filter(one => one.file === from),
  ];
  const oldPath = nav.sitePathOf(from);
  if (named.length > 0 && nav.targetOf(to, undefined) === undefined)
    return { refused: `${to} would not be a page of the site, and the navigation names ${from}.` };
  draft.replace([
    ...named.flatMap(one => {
      const text = nav.targetOf(to, one);
      return one.target && text !== undefined ? [textPiece(editing, one.target, text)] : [];
    }),
    ...redirectPieces(editing, nav, oldPath, nav.redirectTarget(to)),
    ...nav.alsoMoved(from, to),
  ]);
  if (named.length > 0)
    editing.done.push(
      `${named.length} ${named.length === 1 ? 'place' : 'places'} in the navigation now ` +
        `${named.length === 1 ? 'names' : 'name'} ${to}.`,
    );
  for (let left = strays.length; left > 0; left -= 1) removeFirst(editing, from, to);
  const moved = filesIn(nav).map(file => (file === from ? to : file));
  const stayed = strays.reduce(files => without(files, [to]), moved);
  const [shown] = findAll(nav.lists, one => one.file === from);
  const refusal =
    hasChangedAs(editing, nav, stayed, `the entries of ${from} named ${to}`) ??
    (shown && relist(editing, to, strays[0]?.entry.title));
  if (refusal) return refusal;
  noteUnread(editing, nav, from);
  const target = nav.sitePathOf(to);
  if (!redirect || oldPath === undefined || target === undefined || oldPath === target)
    return undefined;
  return writeRedirect(editing, oldPath, nav.redirectTarget(to) ?? target, true);
}

/** Takes out the first entry of a page that cannot follow it. */
function removeFirst(editing: Editing, from: string, to: string): void {
  const nav = editing.read();
  const [stray] = findAll(
    nav.lists,
    one => one.file === from && one.slot !== undefined && nav.canName?.(to, one) === false,
  );
  if (stray) removeWithEmptyGroups(editing, stray);
}

/**
 * Lists a page that left its group, or the folder that a list is made of, beside the pages of its
 * new folder.
 */
function relist(editing: Editing, file: string, title: string | undefined): Refusal {
  const nav = editing.read();
  if (findAll(nav.lists, one => one.file === file).length > 0) return undefined;
  const place = usualPlace(nav, file);
  if (!('refused' in place))
    return addPage(editing, { kind: 'add-page', file, ...(title !== undefined && { title }) });
  editing.left.push(`${file} is in no list now: its group is for another folder. ${place.refused}`);
  return undefined;
}

export function removePage(editing: Editing, { file, redirectTo }: Edit<'remove-page'>): Refusal {
  const nav = editing.read();
  const path = nav.sitePathOf(file);
  const target = redirectTo === undefined ? undefined : targetOf(nav, redirectTo);
  if (redirectTo !== undefined && target === undefined)
    return { refused: `${redirectTo} is neither a page of the site nor an https:// address.` };
  const wanted = filesIn(nav).filter(one => one !== file);
  const count = filesIn(nav).length - wanted.length;
  // One at a time: each reads the places that the last one has moved.
  for (let left = count; left > 0; left -= 1) {
    const [found] = findAll(
      editing.read().lists,
      one => one.file === file && one.slot !== undefined,
    );
    if (found) removeWithEmptyGroups(editing, found);
  }
  if (count > 0)
    editing.done.push(`${count} ${count === 1 ? 'entry' : 'entries'} of the navigation removed.`);
  const refusal = hasChangedAs(editing, nav, wanted, `${file} was taken out`);
  if (refusal) return refusal;
  mentionsOfRemoved(editing, nav, file, redirectTo);
  noteUnread(editing, nav, file);
  if (path === undefined) return undefined;
  if (target === undefined) return removeRedirects(editing, path);
  editing.draft.replace(redirectPieces(editing, editing.read(), path, target));
  return writeRedirect(editing, path, target, true);
}

/** The menu and the footer lead to the page that takes its place; without one they are named. */
function mentionsOfRemoved(
  editing: Editing,
  nav: WrittenNavigation,
  file: string,
  instead: string | undefined,
): void {
  const named = nav.mentions.filter(one => one.file === file);
  const pieces = named.flatMap(one => {
    const text = instead === undefined ? undefined : nav.targetOf(instead, one);
    return text === undefined ? [] : [textPiece(editing, one.target, text)];
  });
  editing.draft.replace(pieces);
  if (pieces.length > 0) {
    editing.done.push(`The menu leads to ${instead} instead.`);
    return;
  }
  const places = named.map(
    ({ target }) => `${target.literal.file}:${target.line} links to it, beside the navigation`,
  );
  editing.left.push(...new Set(places));
}

export function addRedirect(editing: Editing, { from, to }: Edit<'add-redirect'>): Refusal {
  const target = targetOf(editing.read(), to);
  if (target === undefined)
    return { refused: `${to} is neither a page of the site, a site path nor an https:// address.` };
  if (!/^\/[^\s"'`\\]*$/.test(from)) return { refused: `${from} is not a site path such as /old.` };
  return writeRedirect(editing, from, target, false);
}

/** Takes an entry out, then the groups that hold nothing without it. */
function removeWithEmptyGroups(editing: Editing, { entry, parent }: Found): void {
  if (entry.entries.length > 0 && entry.ownPage) {
    removeAt(editing, entry.ownPage);
    return;
  }
  if (entry.entries.length > 0) return;
  const isLast = parent?.entries.length === 1 && parent.slot !== undefined;
  if (isLast && parent.file === undefined && parent.type === 'group') {
    const [above] = findAll(editing.read().lists, one => isSamePlace(one.slot, parent.slot));
    if (above)
      return removeWithEmptyGroups(editing, { ...above, entry: { ...parent, entries: [] } });
  }
  if (entry.slot) removeAt(editing, entry.slot);
}

function isSamePlace(a: Slot | undefined, b: Slot | undefined): boolean {
  return a?.literal.file === b?.literal.file && a?.value.start === b?.value.start;
}

/** The new texts of the redirects that lead to a path. */
function redirectPieces(
  editing: Editing,
  nav: WrittenNavigation,
  path: string | undefined,
  target: string | undefined,
) {
  if (path === undefined || target === undefined) return [];
  return nav.redirects
    .filter(({ to }) => to.replace(/[?#].*$/s, '') === path)
    .map(one => textPiece(editing, one.target, target + (/[?#].*$/s.exec(one.to)?.[0] ?? '')));
}

/** Redirects to a page that is gone lead nowhere, and some generators stop at them. */
function removeRedirects(editing: Editing, path: string): Refusal {
  for (let left = editing.read().redirects.length; left > 0; left -= 1) {
    const dead = editing.read().redirects.find(({ to }) => to.replace(/[?#].*$/s, '') === path);
    if (!dead) break;
    removeAt(editing, dead.slot);
    editing.done.push(`The redirect from ${dead.from}, which led to it, was removed.`);
  }
  return undefined;
}

function writeRedirect(editing: Editing, from: string, to: string, isExtra: boolean): Refusal {
  const nav = editing.read();
  const old = nav.redirects.find(one => one.from === from);
  if (old) {
    editing.draft.replace([textPiece(editing, old.target, to)]);
    editing.done.push(`The redirect from ${from} now leads to ${to}.`);
    return undefined;
  }
  if ('missing' in nav.redirectPlace) {
    const why = `${nav.redirectPlace.missing}, so none was added for ${from}`;
    if (isExtra) editing.left.push(why);
    return isExtra ? undefined : { refused: `${why}.` };
  }
  const { literal, member } = nav.redirectPlace;
  const text = editing.draft.read(literal.file) ?? '';
  const style = styleOf(literal.file, text, undefined);
  const { key, value } = nav.redirectShape(from, to);
  const list = key === undefined ? [value] : { [key]: value };
  const written =
    member !== undefined
      ? `${keyText(member, style)}: ${writeShape(list, style)}`
      : key === undefined
        ? writeShape(value, style)
        : `${keyText(key, style)}: ${writeShape(value, style)}`;
  editing.draft.write(literal.file, insertPart(text, literal, literal.parts.length, written));
  editing.done.push(`Redirect from ${from} to ${to} added in ${literal.file}.`);
  // A redirect away from the page's new place would hide it.
  const hiding = editing.read().redirects.find(one => one.from === to);
  if (hiding) {
    removeAt(editing, hiding.slot);
    editing.done.push(`The redirect from ${to} was removed: a page is there now.`);
  }
  return undefined;
}

function targetOf(nav: WrittenNavigation, to: string): string | undefined {
  if (/^https:\/\/[^\s"'`\\]+$/.test(to)) return to;
  if (isExternal(to)) return undefined;
  return nav.redirectTarget(to) ?? (/^\/[^\s"'`\\]*$/.test(to) ? to : undefined);
}

function textPiece(editing: Editing, { literal: { file }, value }: Slot, target: string) {
  const text = editing.draft.read(file) ?? '';
  const before = text.slice(value.start, value.end);
  const quote = before.startsWith('"') ? '"' : before.startsWith("'") ? "'" : undefined;
  return {
    file,
    ...value,
    text: quoted(target, quote ?? styleOf(file, text, undefined).quote),
  };
}

function noteUnread(editing: Editing, nav: WrittenNavigation, file: string): void {
  const sentence = unreadSentence(nav);
  if (sentence !== '') editing.left.push(`${sentence} It may name ${file}`);
}
