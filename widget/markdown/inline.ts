import { safeUrl } from '../address.ts';
import { h, link } from '../view/dom.ts';

export interface InlineOptions {
  newTab: string;
}

/** Deeper than this, marks are text: nobody writes so, and the stack has an end. */
const MAX_DEPTH = 8;
/** Characters of a paragraph; what is longer is not prose. */
const MAX_LENGTH = 20_000;
const MARKS: Record<string, 'strong' | 'em' | 'del'> = {
  '**': 'strong',
  __: 'strong',
  '~~': 'del',
  '*': 'em',
  _: 'em',
};
const SPECIAL = /[\\`*_~[!<\n]|https?:\/\//g;
const BARE = /https?:\/\/[^\s<>"'`]*[^\s<>"'`.,:;!?)\]*_~]/y;
const AUTO = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;
const BREAK = /<br\s*\/?>/iy;
const TITLE = /\s{1,20}(?:"[^"]*"|'[^']*'|\([^)]*\))$/;

/**
 * Inline Markdown as nodes. HTML is text, images are links (an image would tell its host who reads
 * this), and links lead to the web or to mail only. What is not closed
 * is looked for once.
 */
export function inline(text: string, options: InlineOptions): Node[] {
  if (text.length > MAX_LENGTH) return [new Text(text)];
  return new Inline(text, options).nodes(0, text.length, 0);
}

class Inline {
  readonly #text: string;
  readonly #options: InlineOptions;
  /** By what closes: the place from which on there is none. */
  readonly #noneFrom = new Map<string, number>();

  constructor(text: string, options: InlineOptions) {
    this.#text = text;
    this.#options = options;
  }

  nodes(from: number, to: number, depth: number): Node[] {
    const nodes: Node[] = [];
    let at = from;
    let plain = from;
    const add = (node: Node, start: number, end: number) => {
      if (start > plain) nodes.push(new Text(unescaped(this.#text.slice(plain, start))));
      nodes.push(node);
      at = plain = end;
    };
    while (at < to) {
      SPECIAL.lastIndex = at;
      const found = SPECIAL.exec(this.#text);
      if (!found || found.index >= to) break;
      at = found.index;
      const read = this.#read(at, to, depth);
      if (read) add(read.node, at, read.end);
      else at += this.#text[at] === '\\' ? 2 : markAt(this.#text, at, to).length;
    }
    if (to > plain) nodes.push(new Text(unescaped(this.#text.slice(plain, to))));
    return nodes;
  }

  #read(at: number, to: number, depth: number): { node: Node; end: number } | undefined {
    const char = this.#text[at]!;
    if (char === '`') return this.#code(at, to);
    if (char === '\n') return this.#lineBreak(at);
    if (char === '<') return this.#angle(at);
    if (char === 'h') return this.#bare(at, to);
    if (depth >= MAX_DEPTH) return undefined;
    if (char === '[') return this.#link(at, to, depth);
    if (char === '!' && this.#text[at + 1] === '[') return this.#link(at + 1, to, depth);
    const mark = markAt(this.#text, at, to);
    return MARKS[mark] && this.#marked(mark, at, to, depth);
  }

  #code(at: number, to: number) {
    const fence = markAt(this.#text, at, to);
    const end = this.#find(fence, at + fence.length, to);
    if (end === undefined) return undefined;
    const content = this.#text.slice(at + fence.length, end).replaceAll('\n', ' ');
    const shown = /^ .*[^ ].* $/.test(content) ? content.slice(1, -1) : content;
    return { node: h('code', {}, shown), end: end + fence.length };
  }

  /** Two spaces before the end of a line break it; else it is a space. */
  #lineBreak(at: number) {
    return this.#text.slice(Math.max(0, at - 2), at) === '  '
      ? { node: h('br'), end: at + 1 }
      : undefined;
  }

  #angle(at: number) {
    BREAK.lastIndex = AUTO.lastIndex = at;
    const broken = BREAK.exec(this.#text);
    if (broken) return { node: h('br'), end: at + broken[0].length };
    const auto = AUTO.exec(this.#text);
    const url = auto && safeUrl(auto[1]!);
    return url
      ? { node: link(url, this.#options.newTab, auto[1]), end: at + auto[0].length }
      : undefined;
  }

  #bare(at: number, to: number) {
    BARE.lastIndex = at;
    const [written] = BARE.exec(this.#text) ?? [];
    const url = written && at + written.length <= to && safeUrl(written);
    return url
      ? { node: link(url, this.#options.newTab, written), end: at + written.length }
      : undefined;
  }

  /** `[text](address "title")`; without an address that may be opened, its text alone. */
  #link(at: number, to: number, depth: number) {
    const middle = this.#find('](', at + 1, to);
    if (middle === undefined) return undefined;
    const end = this.#closing(middle + 2, to);
    if (end === undefined || this.#text.slice(at + 1, middle).includes('\n\n')) return undefined;
    const written = this.#text
      .slice(middle + 2, end)
      .trim()
      .replace(TITLE, '');
    const url = safeUrl(written.replace(/^<(.*)>$/, '$1'));
    const children = this.nodes(at + 1, middle, MAX_DEPTH - 2 > depth ? depth + 2 : MAX_DEPTH);
    const text = children.map(({ textContent }) => textContent).join('');
    const node = url
      ? link(url, this.#options.newTab, ...noLinks(children, text))
      : h('span', {}, text);
    return { node, end: end + 1 };
  }

  /** The parenthesis that closes an address, which may contain pairs of them. */
  #closing(from: number, to: number): number | undefined {
    let open = 0;
    for (let at = from; at < to; at += 1) {
      const char = this.#text[at];
      if (char === '\n') return undefined;
      if (char === '(') open += 1;
      if (char === ')' && (open -= 1) < 0) return at;
    }
    return undefined;
  }

  #marked(mark: string, at: number, to: number, depth: number) {
    const inside = at + mark.length;
    if (/\s/.test(this.#text[inside] ?? ' ')) return undefined;
    if (mark[0] === '_' && /[\p{L}\p{N}]/u.test(this.#text[at - 1] ?? ' ')) return undefined;
    const end = this.#find(mark, inside + 1, to);
    if (end === undefined || /\s/.test(this.#text[end - 1]!)) return undefined;
    if (mark[0] === '_' && /[\p{L}\p{N}]/u.test(this.#text[end + mark.length] ?? ' '))
      return undefined;
    const node = h(MARKS[mark]!, {}, ...this.nodes(inside, end, depth + 1));
    return { node, end: end + mark.length };
  }

  /** Where the same mark stands again, neither longer nor escaped; undefined if nowhere before `to`. */
  #find(mark: string, from: number, to: number): number | undefined {
    if (from >= (this.#noneFrom.get(mark) ?? Infinity)) return undefined;
    let at = this.#text.indexOf(mark, from);
    while (at !== -1 && at < to && !this.#closes(mark, at, to))
      at = this.#text.indexOf(mark, at + Math.max(1, markAt(this.#text, at, to).length));
    if (at === -1) this.#noneFrom.set(mark, from);
    // Of `***`, the inner one closes first.
    if (mark === '**' && at !== -1 && this.#text[at + 2] === '*') at += 1;
    return at === -1 || at + mark.length > to ? undefined : at;
  }

  #closes(mark: string, at: number, to: number): boolean {
    if (mark[0] !== '`' && this.#text[at - 1] === '\\') return false;
    return mark === '](' || markAt(this.#text, at, to) === mark;
  }
}

/** A run of the same mark: of `*`, `_` and `~` at most two, of backticks all. */
function markAt(text: string, at: number, to: number): string {
  const char = text[at]!;
  if (!'*_~`'.includes(char)) return char;
  const most = char === '`' ? to : Math.min(to, at + 2);
  let end = at;
  while (end < most && text[end] === char) end += 1;
  return text.slice(at, end);
}

/** A link in a link is not allowed: then its text stands alone. */
function noLinks(children: Node[], text: string): (Node | string)[] {
  return children.some(node => node instanceof HTMLAnchorElement) ? [text] : children;
}

function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}
