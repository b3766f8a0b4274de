import type { Shape } from './write-literal.ts';
import type { Literal, Slot, StaticValue } from '../../../sites/code/static-value.ts';
import type { SiteSource, Unread } from '../../../sites/kinds/site-kind.ts';

/** One entry of a navigation list that is written as code or JSON. */
export interface WrittenEntry {
  /** `folder`: the generator lists a folder here; `unread`: known only by running the code. */
  type: 'page' | 'group' | 'link' | 'folder' | 'unread';
  /** As readers see it. */
  title: string;
  /** Titles of the levels above, outermost first. */
  crumbs: readonly string[];
  /** The page that it leads to; of a group, the one that its title leads to. */
  file?: string;
  /** Where it is written; undefined for a page that a folder lists. */
  slot?: Slot;
  value?: StaticValue;
  /** The text that names the page. */
  target?: Slot;
  /** The text that holds the title. */
  label?: Slot;
  /** What goes if a group's own page goes: the member that names it. */
  ownPage?: Slot;
  /** What is below it. */
  entries: WrittenEntry[];
  /** The array, or object of short categories, that holds what is below it. */
  literal?: Literal;
  /** Repository folder that the generator lists. */
  folder?: string;
}

/** A sidebar. */
export interface WrittenList {
  /** As the configuration names it: a sidebar's id, a path prefix. */
  name: string;
  entries: WrittenEntry[];
  literal?: Literal;
}

export interface WrittenRedirect {
  /** Site path below the base path. */
  from: string;
  to: string;
  /** The text of the target, and the element or member that is the redirect. */
  target: Slot;
  slot: Slot;
  line: number;
}

/** How a page is named where it is not navigation: the top menu, the footer. */
export interface Mention {
  file: string;
  target: Slot;
}

/** A navigation as it is written, and how more of it is written. */
export interface WrittenNavigation {
  /** Files that are read for it, the most important one first. */
  files: string[];
  /** One sentence on how the navigation is made. */
  rule: string;
  lists: WrittenList[];
  redirects: WrittenRedirect[];
  /**
   * Where another redirect goes, or why there is no such place. `member`: the list is not there
   * yet, and becomes this member of the literal.
   */
  redirectPlace: { literal: Literal; member?: string } | { missing: string };
  mentions: Mention[];
  unread: Unread[];
  /** Lists that a page may stand in, the best one first. */
  listsFor(file: string): WrittenList[];
  /** What names the page in an entry such as `model`; undefined if it is not a page of the site. */
  targetOf(file: string, model: WrittenEntry | Mention | undefined): string | undefined;
  /** Whether an entry can lead to the page from where it stands; undefined: each can. */
  canName?(file: string, entry: WrittenEntry): boolean;
  pageShape(file: string, title: string | undefined, model: WrittenEntry | undefined): Shape;
  groupShape(title: string, items: readonly Shape[], model: WrittenEntry | undefined): Shape;
  /** An entry that is a bare text, with a title of its own. */
  titledShape(entry: WrittenEntry, title: string): Shape;
  redirectShape(from: string, to: string): { key?: string; value: Shape };
  /** The site path of a page with the base path, as redirects name it. */
  redirectTarget(file: string): string | undefined;
  sitePathOf(file: string): string | undefined;
  /** Files whose text places a page in a list that is made from a folder. */
  placeInFolder(file: string, number: number, source: SiteSource): string | undefined;
  /** The number by which such a list sorts the page. */
  numberOf(file: string): number | undefined;
  /** Further edits of a move: `_category_` files. */
  alsoMoved(from: string, to: string): { file: string; start: number; end: number; text: string }[];
}

/** Every entry of a list with those below it, in the order of readers. */
export function* entriesBelow(entries: readonly WrittenEntry[]): Generator<WrittenEntry> {
  for (const entry of entries) {
    yield entry;
    yield* entriesBelow(entry.entries);
  }
}
