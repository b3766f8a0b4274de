import type { Token } from 'markdown-it';
import { readFrontMatter } from './front-matter.ts';
import { lineCounter } from './line-counter.ts';
import { markdownParser, mdxParser, withoutComments } from './parsers.ts';

/** A piece of a heading or paragraph: what a slugger or a title is made of. */
export interface InlinePart {
  kind: 'text' | 'code' | 'html' | 'image' | 'break';
  value: string;
}

export interface OutlineHeading {
  /** 1 to 6. */
  depth: number;
  parts: InlinePart[];
  /** As written, without the marks of the heading. */
  raw: string;
  /** 1-based. */
  line: number;
  /** Of a heading in HTML: the id written there. */
  id?: string;
}

export interface OutlineLink {
  kind: 'link' | 'image' | 'import';
  /** As written. */
  url: string;
  /** 1-based. */
  line: number;
  /** The file that it is written in, if the page includes that. */
  file?: string;
  /** The HTML or JSX element whose attribute it is: `a`, `Card`. Undefined in Markdown. */
  element?: string;
  /** What `Site.fileNamed` knows is a page, too. */
  isName?: true;
}

/** What the rules of a site need to know of a page, without the cost of a whole syntax tree. */
export interface PageOutline {
  file: string;
  text: string;
  frontMatter: Record<string, unknown>;
  frontMatterError: { line: number; message: string } | undefined;
  headings: OutlineHeading[];
  links: OutlineLink[];
  /** Ids written in HTML or JSX, and names of `<a>`. */
  ids: string[];
  /** Default imports of an MDX page: `import Name from './partial.mdx'`. */
  imports: { name: string; path: string; line: number }[];
  /** Names of the components that an MDX page uses, in order, with their lines. */
  components: { name: string; line: number }[];
}

const markdown = markdownParser();
const mdx = mdxParser();

/** Some generators read `.md` files as MDX as well. */
export type PageSyntax = 'markdown' | 'mdx';

export function syntaxOf(file: string): PageSyntax {
  return /\.mdx$/i.test(file) ? 'mdx' : 'markdown';
}

/** Outlines a page: about 1 ms for 8 KB. Never throws on content. */
export function outlinePage(file: string, source: string, syntax = syntaxOf(file)): PageOutline {
  const matter = readFrontMatter(source);
  const isMdx = syntax === 'mdx';
  const outline: PageOutline = {
    file,
    text: source,
    frontMatter: matter.members,
    frontMatterError: matter.error,
    headings: [],
    links: [],
    ids: [],
    imports: [],
    components: [],
  };
  const tokens = isMdx
    ? mdx.parse(withoutComments(matter.body), {})
    : markdown.parse(matter.body, {});
  const reader = new OutlineReader(outline, isMdx, matter.lines + 1);
  for (const token of tokens) reader.block(token);
  return outline;
}

class OutlineReader {
  readonly #outline: PageOutline;
  readonly #isMdx: boolean;
  readonly #firstLine: number;
  #depth = 0;
  #row = 0;

  constructor(outline: PageOutline, isMdx: boolean, firstLine: number) {
    this.#outline = outline;
    this.#isMdx = isMdx;
    this.#firstLine = firstLine;
  }

  block(token: Token): void {
    this.#row = token.map?.[0] ?? this.#row;
    if (token.type === 'heading_open') this.#depth = Number(token.tag.slice(1));
    else if (token.type === 'heading_close') this.#depth = 0;
    else if (token.type === 'html_block') this.#html(token.content, this.#lineOf(token));
    else if (token.type === 'inline') this.#inline(token);
  }

  #inline(token: Token): void {
    let line = this.#lineOf(token);
    if (this.#isMdx) this.#modules(token.content, line);
    if (this.#depth > 0) {
      const parts = inlineParts(token.children ?? []);
      this.#outline.headings.push({ depth: this.#depth, parts, raw: token.content, line });
    }
    for (const child of token.children ?? []) {
      if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
      else if (child.type === 'link_open') this.#link('link', textOf(child.attrGet('href')), line);
      else if (child.type === 'image') this.#link('image', textOf(child.attrGet('src')), line);
      else if (child.type === 'html_inline') this.#html(child.content, line);
      else if (child.type === 'text' && this.#isMdx && child.content.includes('<'))
        this.#html(child.content, line);
      if (child.type === 'html_inline') line += child.content.split('\n').length - 1;
    }
  }

  #link(kind: 'link' | 'image', url: string | null, line: number): void {
    if (url !== null) this.#outline.links.push({ kind, url: decodeUrl(url), line });
  }

  #html(html: string, firstLine: number): void {
    const text = html.includes('<!--') ? withoutHtmlComments(html) : html;
    if (text.includes('=')) this.#attributes(text, firstLine);
    const linesBefore = lineCounter(text);
    for (const match of text.matchAll(/<([A-Z][\w.]*)/g)) {
      const line = firstLine + linesBefore(match.index);
      this.#outline.components.push({ name: match[1] ?? '', line });
    }
  }

  #attributes(text: string, firstLine: number): void {
    const linesBefore = lineCounter(text);
    for (const match of text.matchAll(ADDRESS)) {
      const url = match[2] ?? match[3] ?? match[4] ?? '';
      const kind = /^(?:href|to)$/i.test(match[1] ?? '') ? 'link' : 'image';
      const tag = text.lastIndexOf('<', match.index);
      const element = /^<([\w.-]+)/.exec(text.slice(tag, tag + LONGEST_NAME))?.[1] ?? '';
      const line = firstLine + linesBefore(match.index);
      this.#outline.links.push({ kind, url, line, element });
    }
    if (/<h[1-6]/i.test(text))
      for (const match of text.matchAll(/<h([1-6])\b[^<>]*?\sid\s*=\s*["']([^"']+)["']/gi)) {
        const [, depth, id = ''] = match;
        const line = firstLine + linesBefore(match.index);
        this.#outline.headings.push({ depth: Number(depth), parts: [], raw: '', line, id });
      }
    for (const match of text.matchAll(/\s(?:id|name)\s*=\s*\{?(["'])(.*?)\1/g))
      this.#outline.ids.push(match[2] ?? '');
  }

  #modules(content: string, line: number): void {
    if (!content.includes('import')) return;
    for (const match of content.matchAll(IMPORT)) {
      const [all, name = '', path = ''] = match;
      const before = content.slice(0, match.index + all.indexOf('import'));
      const at = line + before.split('\n').length - 1;
      this.#outline.imports.push({ name, path, line: at });
    }
  }

  #lineOf(token: Token): number {
    // A cell of a table is where its row begins.
    return (token.map?.[0] ?? this.#row) + this.#firstLine;
  }
}

/** At the start of a line, or behind another statement. */
const IMPORT = /(?:^|;\s)[ \t]*import\s+(\w+)\s+from\s+["']([^"'\n]+)["']/gm;

/** Of an element or component. */
const LONGEST_NAME = 200;

/** Comments as spaces: lines stay where they are. */
function withoutHtmlComments(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, comment => comment.replace(/[^\n]/g, ' '));
}

/** `href="x"`, `src='x'`, `to="x"`, also as a JSX expression that is one string. */
const ADDRESS = /\s(href|src|to|poster)\s*=\s*\{?\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$\n]*)`)/gi;

function inlineParts(tokens: Token[]): InlinePart[] {
  return tokens.flatMap((token): InlinePart[] => {
    if (token.type === 'text' || token.type === 'text_special')
      return [{ kind: 'text', value: token.content }];
    if (token.type === 'code_inline') return [{ kind: 'code', value: token.content }];
    if (token.type === 'html_inline') return [{ kind: 'html', value: token.content }];
    if (token.type === 'image') return [{ kind: 'image', value: token.content }];
    if (token.type === 'softbreak' || token.type === 'hardbreak')
      return [{ kind: 'break', value: '\n' }];
    return [];
  });
}

/** The parser escapes addresses; people and files do not. An escaped `%` stays: it is decoded later. */
function decodeUrl(url: string): string {
  try {
    return decodeURI(url.replaceAll('%25', '%2525'));
  } catch {
    return url;
  }
}

/** A heading's text as a reader sees it, HTML left out. */
export function plainText(parts: readonly InlinePart[]): string {
  return parts
    .filter(part => part.kind !== 'html' && part.kind !== 'image')
    .map(part => (part.kind === 'break' ? ' ' : part.value))
    .join('');
}

/**
 * What stands in braces at the end of a heading, such as `{#id}`; '' if nothing does. Short, so that
 * a pattern looks at little of a long line.
 */
export function trailingBraces(text: string): string {
  const tail = text.trimEnd();
  const open = tail.endsWith('}') ? tail.lastIndexOf('{') : -1;
  return open < 0 || tail.length - open > MAX_BRACES ? '' : tail.slice(open);
}

const MAX_BRACES = 300;

/** A heading without what stands in braces at its end. */
export function withoutBraces(text: string): string {
  const braces = trailingBraces(text);
  return braces === '' ? text : text.trimEnd().slice(0, -braces.length).trimEnd();
}

/** The first level-one heading, without a trailing `{#id}`; null if there is none. */
export function firstTitle(outline: PageOutline): string | null {
  const heading = outline.headings.find(one => one.depth === 1);
  if (!heading) return null;
  const text = plainText(heading.parts).trimEnd();
  const braces = trailingBraces(text);
  const title = (/^\{[#:/]/.test(braces) ? text.slice(0, -braces.length) : text).trim();
  return title === '' ? null : title;
}

function textOf(value: string | number | null): string | null {
  return value === null ? null : String(value);
}
