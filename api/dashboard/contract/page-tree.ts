/**
 * A page of a docs site as a tree that the browser draws: closed lists of elements and attributes.
 * Nothing in it is markup, and no attribute is code.
 */

/** Elements of HTML that a page may have. */
export const HTML_TAGS = [
  'p',
  'div',
  'span',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'caption',
  'blockquote',
  'figure',
  'figcaption',
  'strong',
  'em',
  'del',
  'ins',
  'mark',
  'code',
  'kbd',
  'sub',
  'sup',
  'small',
  'abbr',
] as const;

/** What is more than one element: drawn by components of ours. */
export const DRAWN_TAGS = [
  'link',
  'image',
  'code-block',
  'check-box',
  'callout',
  'card',
  'cards',
  'tabs',
  'tab',
  'steps',
  'step',
  'details',
  'field',
  'badge',
  /** A component or element that is not on the list: its name and its children are shown. */
  'unknown',
] as const;

export const ATTRIBUTES = [
  /** An anchor of the page. */
  'id',
  /** An address outside the site: http, https or mailto. */
  'href',
  /** A page of the site, by its path. */
  'page',
  /** The anchor on that page. */
  'hash',
  /** Why a link leads nowhere. */
  'missing',
  /** Path of an image in the repository. */
  'file',
  'alt',
  'title',
  'width',
  'align',
  'start',
  'checked',
  'open',
  'kind',
  'name',
  'type',
  'required',
  'default',
  'language',
  'colspan',
  'rowspan',
  /** Of a page that is compared with an earlier one: added, removed or changed. */
  'change',
] as const;

/** What a piece of code is, for its colour. */
export const TOKEN_KINDS = [
  'plain',
  'keyword',
  'string',
  'number',
  'comment',
  'name',
  'meta',
] as const;

export type PageTag = (typeof HTML_TAGS)[number] | (typeof DRAWN_TAGS)[number];
export type Attributes = Partial<Record<(typeof ATTRIBUTES)[number], string>>;
export type TokenKind = (typeof TOKEN_KINDS)[number];
export type CodeToken = [kind: TokenKind, text: string];

export interface PageElement {
  tag: PageTag;
  attributes?: Attributes;
  children?: PageNode[];
  /** Of a code block. */
  tokens?: CodeToken[];
}

export type PageNode = string | PageElement;

export const CALLOUT_KINDS = ['note', 'info', 'tip', 'check', 'warning', 'danger'] as const;
export type CalloutKind = (typeof CALLOUT_KINDS)[number];
