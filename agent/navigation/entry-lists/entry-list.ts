import type { TextEdit } from './text-edits.ts';

/** Offsets in a text, the end exclusive. */
export type Span = readonly [start: number, end: number];

/**
 * One entry of a navigation that is written as lines: an item of a list in YAML or Markdown, a line
 * of a toctree.
 */
export interface ListEntry {
  /** As readers see it; null if it is taken from the page. */
  title: string | null;
  /** As written; null for a mere group. */
  target: string | null;
  /** The page that it leads to. */
  file?: string;
  /** Its lines with those of its children, from the start of the first to the end of the last. */
  span: Span;
  /** Where the title and the target are written, if they are. */
  titleAt?: Span;
  targetAt?: Span;
  /** Undefined if nothing can be below it. */
  children?: ListEntry[];
  /** Why it cannot be edited, such as `it is an alias`. */
  fixed?: string;
}

/** A list of entries in one file. A site has one, or one in each of many files. */
export interface EntryList {
  file: string;
  text: string;
  /** Titles of the levels above, outermost first. */
  crumbs: readonly string[];
  /** The same without a title that readers see and the navigation has no level for. */
  otherCrumbs?: readonly string[];
  entries: ListEntry[];
  style: ListStyle;
  /** It has the pages of its folder only. */
  isOfFolder?: true;
  /** Where a first entry is written, with what stands before it on its line. */
  empty?: { at: number; prefix: string };
}

/** What is before the content of an entry's first line: white space and the mark of the item. */
export function prefixOf(text: string, entry: ListEntry): string {
  return /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)?/.exec(text.slice(...entry.span))?.[0] ?? '';
}

/** How entries are written in one kind of list. */
export interface ListStyle {
  /**
   * The content of an entry's line for a page, without prefix and line end, written like `model`;
   * `title` is undefined where none is asked for.
   */
  entry(file: string, title: string | undefined, model: ListEntry | undefined): string;
  /** Lines of a group below which `pages` are, the first one without prefix; null: cannot be. */
  group(title: string, pages: readonly string[], prefix: string): string | null;
  /** A title as it is written in the place of another. */
  title(title: string, written: string): string;
  /** The target for a page as it is written in the place of another. */
  target(file: string, written: string): string;
  /** A title where the entry has none of its own; null: the list has no place for it. */
  addTitle?(entry: ListEntry, title: string): TextEdit | null;
  /**
   * What is left of an entry whose page goes and that has others below it; null: it goes with them.
   */
  withoutPage?(entry: ListEntry, text: string): TextEdit[] | null;
  /** What a prefix of one more level is, for the first entry below one. */
  deeper(prefix: string): string | null;
}
