import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type Navigation, pageFile, redirectFinder } from '../../../sites/navigation.ts';
import { cleanSitePath, sitePath } from '../../../sites/page-path.ts';
import { navigationReading } from '../../../sites/read-navigation.ts';
import { applyEdits, type TextEdit } from '../entry-lists/text-edits.ts';
import type { EntryReference, NavigationChange } from '../navigation-edit.ts';
import { pageTitle } from '../page-title.ts';
import { folderOf, isExternal } from '../../../sites/kinds/paths.ts';
import type { Site, SiteSource } from '../../../sites/kinds/site-kind.ts';
import {
  findJsonEntry,
  type JsonNavigation,
  type JsonSlot,
  slotBeside,
  titleOf,
} from './find-place.ts';
import { appendItem, removeValue, setString, valueAt } from './json-text.ts';
import { type JsonEntry, navigationEntries } from './navigation-entries.ts';

export function refused(reason: string): { refused: string } {
  return { refused: reason };
}

/** The texts of a site's JSON files while they are edited. */
export class JsonNavigationEditor {
  readonly navigation: JsonNavigation;
  readonly #source: SiteSource;
  readonly #docsFolder: string;
  readonly #main: string;
  readonly #texts = new Map<string, string>();
  readonly #done: string[] = [];
  readonly #left: string[] = [];

  constructor(source: SiteSource, site: Site) {
    this.#source = source;
    this.#docsFolder = site.docsFolder;
    this.#main = site.configFiles[0] ?? 'docs.json';
    this.navigation = {
      entries: navigationEntries(source, this.#main),
      fileOf: page => pageFile(path => source.has(path), site.docsFolder, page),
      titleOfFile: file => pageTitle(source, file),
    };
    for (const { file, message } of this.#read().errors) this.#left.push(`${file} ${message}`);
  }

  /** The file as an entry writes it: as another entry does, with or without slash and extension. */
  entryFor(like: string, file: string): string {
    const inDocs = this.#docsFolder === '' ? file : file.slice(this.#docsFolder.length + 1);
    const bare = /\.mdx?$/i.test(like) ? inDocs : inDocs.replace(/\.mdx?$/i, '');
    return like.startsWith('/') ? `/${bare}` : bare;
  }

  anyPage(): string {
    return this.navigation.entries.find(({ page }) => page !== undefined)?.page ?? '';
  }

  /** The site path of a file; an address stays as it is. */
  pathOf(file: string): string {
    return isExternal(file) ? file : (sitePath(this.#docsFolder, file) ?? `/${file}`);
  }

  /** Behind the last page of the folder, else at the end of the last list of pages. */
  slotNear(file: string): JsonSlot | { refused: string } {
    const pages = this.navigation.entries.filter(({ page }) => page !== undefined);
    const inFolder = ({ page = '' }: JsonEntry) =>
      folderOf(this.navigation.fileOf(page) ?? '/') === folderOf(file);
    const near = pages.findLast(inFolder) ?? pages.at(-1);
    if (!near) return refused('The navigation lists no page yet: add a group with the page.');
    return slotBeside(near, 1, ` after “${titleOf(this.navigation, near)}”`);
  }

  lastGroup(): JsonSlot | { refused: string } {
    const groups = this.navigation.entries.filter(({ titleMember }) => titleMember === 'group');
    const last = groups.findLast(({ pointer }) => pointer.at(-2) === 'groups') ?? groups.at(-1);
    if (!last) return refused('The navigation has no groups: say after which page it goes.');
    return slotBeside(last, 1, ` after “${last.title ?? ''}”`);
  }

  retarget(from: string, to: string): void {
    const entries = this.#entriesOf(from);
    for (const { file, pointer, page = '' } of entries)
      this.#set(file, setString(this.text(file), pointer, this.entryFor(page, to)));
    this.#note(entries, 'updated');
  }

  removePage(page: string): void {
    const entries = this.#entriesOf(page);
    // From the last to the first, so that the positions of those to come stay right.
    for (const entry of entries.toReversed()) this.#remove(entry);
    this.#note(entries, 'removed');
  }

  /** Takes pages out of every list but that of a new group. */
  unlist(pages: readonly string[], { file: newFile, list, index }: JsonSlot): void {
    const fresh = JSON.stringify([...list, index]).slice(0, -1);
    const now = navigationEntries({ read: path => this.text(path) }, this.#main);
    const others = now.filter(
      one =>
        one.page !== undefined &&
        pages.includes(this.navigation.fileOf(one.page) ?? '') &&
        (one.file !== newFile || !JSON.stringify(one.pointer).startsWith(`${fresh},`)),
    );
    for (const one of others.toReversed()) this.#remove(one);
  }

  /** How many items a list has. */
  lengthOf({ file, list }: JsonSlot): number {
    const value = valueAt(this.text(file), list);
    return Array.isArray(value) ? value.length : 0;
  }

  removeEntry(reference: EntryReference): NavigationChange | undefined {
    const entry = findJsonEntry(this.navigation, reference);
    if ('refused' in entry) return entry;
    this.#remove(entry);
    this.say(`Took “${titleOf(this.navigation, entry)}” out of ${entry.file}.`);
    return undefined;
  }

  rename(reference: EntryReference, title: string): NavigationChange | undefined {
    const entry = findJsonEntry(this.navigation, reference);
    if ('refused' in entry) return entry;
    const { file, pointer, titleMember } = entry;
    if (titleMember === undefined)
      return refused('An entry has the title of its page: set `title` or `sidebarTitle` there.');
    this.#set(file, setString(this.text(file), [...pointer, titleMember], title));
    this.say(`Renamed it to “${title}” in ${file}.`);
    return undefined;
  }

  redirect(from: string, to: string): void {
    const navigation = this.#read();
    const { redirectList: list, redirects } = navigation;
    if (!list) {
      this.#left.push(`${this.#main} has no list of redirects, so none was added for ${from}`);
      return;
    }
    for (const { file, pointer, destination } of redirects) {
      const suffix = isExternal(to) ? '' : (/[?#].*$/s.exec(destination)?.[0] ?? '');
      if (cleanSitePath(destination) === from)
        this.#set(file, setString(this.text(file), [...pointer, 'destination'], to + suffix));
    }
    const added = { source: from, destination: to };
    this.#set(list.file, appendItem(this.text(list.file), list.pointer, added));
    // A redirect away from the page's new place would hide it. One of many places is not ours to
    // remove.
    for (const redirect of redirects.toReversed()) {
      if (cleanSitePath(redirect.source) === to)
        this.#set(redirect.file, removeValue(this.text(redirect.file), redirect.pointer));
      else if (redirectFinder([redirect])(to) !== undefined)
        this.#left.push(
          `${redirect.file} redirects ${redirect.source}, which takes readers away from ${to}: ` +
            'change or remove that redirect',
        );
    }
    this.say(`Redirect from ${from} to ${to} added in ${list.file}.`);
  }

  text(file: string): string {
    return this.#texts.get(file) ?? this.#source.read(file) ?? '';
  }

  valueText({ file, pointer }: JsonEntry): string {
    const root = parseTree(this.text(file));
    const node = root && findNodeAtLocation(root, pointer);
    return node ? this.text(file).slice(node.offset, node.offset + node.length) : '';
  }

  put(file: string, edits: readonly TextEdit[]): void {
    this.#set(file, applyEdits(this.text(file), edits));
  }

  say(sentence: string): void {
    this.#done.push(sentence);
  }

  save(): NavigationChange {
    return { files: this.#texts, done: this.#done, left: this.#left };
  }

  #entriesOf(file: string): JsonEntry[] {
    return this.navigation.entries.filter(
      ({ page }) => page !== undefined && this.navigation.fileOf(page) === file,
    );
  }

  /** Removes an entry, and the groups that are empty without it. */
  #remove({ file, pointer }: Pick<JsonEntry, 'file' | 'pointer'>): void {
    this.#set(file, removeValue(this.text(file), pointer));
    const list = pointer.slice(0, -1);
    const group = list.slice(0, -1);
    const isEmpty =
      list.at(-1) === 'pages' && JSON.stringify(valueAt(this.text(file), list)) === '[]';
    const hasRoot = valueAt(this.text(file), [...group, 'root']) !== undefined;
    if (isEmpty && typeof group.at(-1) === 'number' && !hasRoot)
      this.#remove({ file, pointer: group });
  }

  #note(entries: readonly JsonEntry[], verb: string): void {
    for (const file of new Set(entries.map(entry => entry.file))) {
      const own = entries.filter(entry => entry.file === file).length;
      this.say(`${own} navigation ${own === 1 ? 'entry' : 'entries'} in ${file} ${verb}.`);
    }
  }

  #read(): Navigation {
    const reading = navigationReading(this.#docsFolder);
    let state = reading.next();
    while (!state.done)
      state = reading.next(this.#texts.get(state.value) ?? this.#source.read(state.value));
    return state.value;
  }

  #set(file: string, text: string): void {
    if (text !== this.text(file)) this.#texts.set(file, text);
  }
}
