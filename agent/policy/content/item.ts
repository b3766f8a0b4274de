import type { SiteKindName } from '../../../sites/kinds/registry.ts';
import type { PolicyRule } from '../violation.ts';

/** The rules that a page's content can break. */
export type ContentRule = Extract<
  PolicyRule,
  'mdx-code' | 'script' | 'embed' | 'markup' | 'template' | 'front-matter'
>;

/**
 * Something in a page that is not in a plain form. Two with the same key are the same form: it is
 * plain if a page of the base has it.
 */
export interface ContentItem {
  rule: ContentRule;
  key: string;
  /** What it is, for people: `an import`. */
  what: string;
  /** What to write in its place, as a sentence. */
  instead: string;
  /** 1-based. */
  line: number;
  /** A text that every page with this item has: pages without it need no reading. */
  hint: string;
  /**
   * A path from the top of the repository, which is plain unless there is such a file that readers do
   * not see. With a slash in front, there must be one that they see.
   */
  target?: string;
}

/** How the pages of a site are read. */
export interface SiteReading {
  /** The generators whose files the repository has. */
  kinds: readonly SiteKindName[];
  /** Python-Markdown without the extension that reads code blocks as CommonMark does. */
  plainPython: boolean;
  /** A template engine reads whole pages, code blocks included (Jekyll, Eleventy, macros of MkDocs). */
  templatesInCode: boolean;
}

/** How a page is read. */
export interface PageReading extends SiteReading {
  /** Repository path. */
  path: string;
  /** Compiled as a program by every generator that publishes it (`.mdx`). */
  mdx: boolean;
  /** Some generator may compile it as a program. */
  mayBeMdx: boolean;
  /** Components that the page imports in a plain form, as they are found. */
  imported: Set<string>;
}

/** Takes the items of a page as they are found, with the offset of each. */
export type Report = (at: number, item: Omit<ContentItem, 'line'>) => void;

/** A file has more that is not plain than anybody can read. */
export class TooComplex extends Error {}

export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
