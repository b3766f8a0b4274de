import type { PolicyRule } from '../violation.ts';

/** The rules that a page's content can break. */
export type ContentRule = Extract<
  PolicyRule,
  'mdx-code' | 'script' | 'embed' | 'markup' | 'template' | 'front-matter'
>;

/**
 * Something in a page that is not on the list of what any page may have. Two with the same key are
 * the same thing: it is not new if a page of the base has it.
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
}

/** How the pages of a site are read. */
export interface SiteReading {
  /** Python-Markdown without the extension that reads code blocks as CommonMark does. */
  plainPython: boolean;
  /** A template engine reads whole pages, code blocks included (Jekyll, Eleventy, macros of MkDocs). */
  templatesInCode: boolean;
}

/** How a page is read. */
export interface PageReading extends SiteReading {
  /** Compiled as a program by every generator that publishes it (`.mdx`). */
  mdx: boolean;
}

/** Takes the items of a page as they are found, with the offset of each. */
export type Report = (at: number, item: Omit<ContentItem, 'line'>) => void;

export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
