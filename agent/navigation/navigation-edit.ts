import type { Site, SiteSource } from '../../sites/kinds/site-kind.ts';

/**
 * One entry of the navigation: by the page that it leads to (a repository path), or by its title.
 * Titles are compared as readers see them, without regard to case. `group` tells entries of one
 * title apart.
 */
export type EntryReference = { file: string } | { title: string; group?: readonly string[] };

/**
 * Where an entry goes. `group` holds the titles of the levels above, outermost first; the outer
 * ones may be left out where the rest is found once. An empty `group` is the top level. `list` names
 * one of several navigation lists (a sidebar, a tab, a locale) where the group is in more than one.
 */
export type EntryPosition =
  | { after: EntryReference }
  | { before: EntryReference }
  | { group: readonly string[]; at: 'start' | 'end'; list?: string };

/** A change of the navigation in the site's own terms. Files are repository paths. */
export type NavigationEdit =
  /**
   * The page exists already. Without a position: beside the pages of its folder, else at the end.
   * Without a title, the entry has the form in which the site takes it from the page.
   */
  | { kind: 'add-page'; file: string; title?: string; position?: EntryPosition }
  /** An empty group, for kinds that can have one; `pages` go into it at once. */
  | { kind: 'add-group'; title: string; pages: readonly string[]; position?: EntryPosition }
  | { kind: 'move-entry'; entry: EntryReference; position: EntryPosition }
  /** Takes an entry out; the page stays. A group goes with everything in it. */
  | { kind: 'remove-entry'; entry: EntryReference }
  /** A new title of an entry or a group. */
  | { kind: 'rename-entry'; entry: EntryReference; title: string }
  /**
   * The page's file moves; `source` and `site` are those before the move, and nobody is at `to`.
   * Every entry keeps its place, every redirect that led to the page leads to its new place. With
   * `redirect`, one from the old address is added where the kind has redirects in its files.
   * `newPath` is the site path at `to`, null if it is not known before the navigation names it. A
   * change of the page's own text (`aliases`) is given under `to`.
   */
  | { kind: 'move-page'; from: string; to: string; newPath: string | null; redirect: boolean }
  /**
   * The page goes away, with all its entries and with groups that are empty without it;
   * `redirectTo` is the file of a page that stays, or an `https://` address.
   */
  | { kind: 'remove-page'; file: string; redirectTo?: string }
  /** `from` is a site path; `to` the file of a page, a site path or an `https://` address. */
  | { kind: 'add-redirect'; from: string; to: string };

/** What an edit comes to. */
export type NavigationChange =
  | {
      /** Files that change, with their whole new texts; empty if no edit is needed. */
      files: ReadonlyMap<string, string>;
      /** Sentences for the model on what was done, or why nothing was needed. */
      done: string[];
      /** What could not be done, as `file:line …`: the model or a person has to look at it. */
      left: string[];
    }
  /** Nothing is edited. One or two sentences: why, and what the model can do instead. */
  | { refused: string };

/**
 * How a kind's navigation is kept. The edits are of text: comments, order, quotes, indentation,
 * anchors and tags stay as they are. What cannot be read statically is named, and nothing of it is
 * edited. Nothing throws on content.
 */
export interface NavigationEditing {
  /**
   * Existing files other than pages that hold navigation or redirects, the first one the most
   * important; and one sentence on how the navigation is made, such as `nav in mkdocs.yml`.
   */
  describe(source: SiteSource, site: Site): { files: string[]; rule: string };
  edit(source: SiteSource, site: Site, edit: NavigationEdit): NavigationChange;
  /**
   * What changes between two texts of a file of `describe`, apart from navigation and redirects
   * within the site: one sentence each, empty if nothing does. Judges by what a parser reads, not by
   * lines, and does not trust `after`. A text that cannot be read has changed as a whole.
   */
  otherChanges(site: Site, file: string, before: string, after: string): string[];
}
