import { isBehindWords } from './extent.ts';
import type { PageReading } from './item.ts';

/** Lines of text in which every renderer sees the same code spans of one line, if it is `trusted`. */
export interface TextBlock {
  start: number;
  end: number;
  trusted: boolean;
  /** Blocks of one number have no empty line between them: some renderers read them as one. */
  paragraph: number;
  /** A pipe ends a cell here, in a code span too. */
  table: boolean;
}

/** A code block that every renderer reads as code, from its first line to its last. */
export interface Fence {
  start: number;
  end: number;
  /** What follows the opening fence. */
  info: string;
}

export interface Blocks {
  texts: TextBlock[];
  fences: Fence[];
  /** Lines that begin code for some renderers only: from the first one on, all is text. */
  unclear: Fence[];
}

interface Line {
  start: number;
  /** Without the line end. */
  text: string;
  end: number;
}

const RAW_SHORTCODE =
  /\{\{[<%]\s*[\w/-]*(?:raw|html|script|style|mermaid|katex|math|chart|diagram)/i;
/** The one spelling: behind spaces, the marks of a quote, or those of a list item. */
const FENCE = /^((?: {0,3}>)* *((?:(?:[-*+]|\d{1,9}[.)]) {1,4})*))(`{3,}|~{3,})([^`\n]*)$/;
/** What may be one to some; a comment of MyST is none to all. */
const FENCE_ANYWHERE = /^(?!% )(.*?)(?:`{3,}|~{3,})([^\n]*)/;
const QUOTE = /^(?: {0,3}> ?)+/;
/** A list item, an admonition or a tab, whose content is indented. */
const CONTAINER = /^([ \t]*)(?:((?:[-*+]|\d{1,9}[.)])[ \t]+)|(?:!!!|\?\?\?\+?|===|:::)[^\n]*)/;
/** A comment in one line, and a place that links lead to, leave what is below as it is. */
const MARKUP =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*<(?!!--[^<>]*-->[ \t]*$|a (?:name|id)="[\w.:-]+"><\/a>[ \t]*$)[a-z/!?]/i;
const COMMENT_BEGINS = /^<!--(?!-?>)[^<>]*$/;
const COMMENT_ENDS = /^[^<>]*-->[ \t]*$/;
const COLONS = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*:{3,}[ \t]*(\S?)/;
/** What Python-Markdown's own extension reads as the head of a code block. */
const PYTHON_INFO =
  /^[ ]*(?:\{[^\n]*\}|\.?[\w#.+-]*[ ]*(?:hl_lines=(?:"[^"\n]*"|'[^'\n]*'))?[ ]*)$/;
const SUPERFENCES_INFO =
  /^[ ]*(?:\{[^\n]*\}|(?:\.?[\w#.+-]+(?=[ ]|$))?(?:[ ]*\b[a-zA-Z]\w*(?:=(?:"[^"\n]*"|'[^'\n]*'))?)*)[ ]*$/;

/**
 * Splits a page's body into text and code. Code is only what is written in the one spelling that all
 * readings of Markdown share; any other line with a fence is text, and so is everything below it.
 */
export function readBlocks(body: string, reading: PageReading): Blocks {
  const reader = new BlockReader(linesOf(body), reading);
  reader.read();
  return reader;
}

class BlockReader implements Blocks {
  readonly texts: TextBlock[] = [];
  readonly fences: Fence[] = [];
  readonly unclear: Fence[] = [];
  readonly #lines: readonly Line[];
  readonly #reading: PageReading;
  #paragraph = 0;
  /** The paragraph has markup, or text as it is written is open. */
  #markup = false;
  /** It begins with a comment that is open. */
  #comment = false;
  #pre = false;
  /** Elements that are open: Python's and Ruby's readers leave all that is in one as it is. */
  #elements: string[] = [];
  readonly #isRaw: boolean;
  /** Containers of colons that are open: some renderers end them inside of code. */
  #colons = 0;
  #containers: number[] = [];
  #blank = true;

  constructor(lines: readonly Line[], reading: PageReading) {
    this.#lines = lines;
    this.#reading = reading;
    const { kinds, mdx } = reading;
    this.#isRaw = !mdx && (kinds.length === 0 || kinds.includes('mkdocs'));
  }

  read(): void {
    for (let at = 0; at < this.#lines.length;) {
      const line = this.#lines[at];
      if (!line) break;
      at = this.#fence(line, at) ?? (this.#text(line), at + 1);
    }
  }

  /** The line after a code block that begins here; undefined if none does. */
  #fence(line: Line, at: number): number | undefined {
    const any = FENCE_ANYWHERE.exec(line.text);
    if (!any || isBehindWords(any[1] ?? '')) return undefined;
    const [, before = '', marks = '', fence = '', info = ''] = FENCE.exec(line.text) ?? [];
    const isOpen = fence !== '' && this.unclear.length === 0 && this.#mayOpen(before, marks, info);
    const close = isOpen ? this.#close(before, fence, at) : undefined;
    const last = close === undefined ? undefined : this.#lines[close];
    if (close === undefined || !last) {
      this.unclear.push({ start: line.start, end: line.end, info: any[2] ?? '' });
      return undefined;
    }
    this.fences.push({ start: line.start, end: last.end, info });
    this.#paragraph += 1;
    this.#blank = true;
    return close + 1;
  }

  /** Four spaces are code of their own, or continue a paragraph, unless a list asks for them. */
  #mayOpen(before: string, marks: string, info: string): boolean {
    const { plainPython, kinds, mdx } = this.#reading;
    if (this.#markup || this.#pre) return false;
    if (plainPython && (before !== '' || !PYTHON_INFO.test(info))) return false;
    // Extensions of Python-Markdown see no fence behind a list mark.
    if (kinds.includes('mkdocs') && (marks !== '' || !SUPERFENCES_INFO.test(info))) return false;
    const column = before.replace(QUOTE, '').length;
    if (column < 4 || marks !== '' || this.#blank || mdx) return true;
    return this.#containers.some(offset => offset <= column && column < offset + 4);
  }

  /** The closing line, if every renderer sees this one and nothing leaves the block before it. */
  #close(before: string, fence: string, at: number): number | undefined {
    const quotes = depthOf(before);
    const column = before.replace(QUOTE, '').length;
    for (let next = at + 1; next < this.#lines.length; next++) {
      const text = this.#lines[next]?.text ?? '';
      if (depthOf(text) < quotes) return undefined;
      const inner = quotes === 0 ? text : text.replace(QUOTE, '');
      if (inner.trim() === '') continue;
      const indent = columnsOf(/^[ \t]*/.exec(inner)?.[0] ?? '');
      const ticks = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(inner)?.[1];
      // Four spaces further in, nothing ends it, but where code by spaces is not known.
      const isInside = indent >= column + 4 && !this.#reading.mayBeMdx;
      if (ticks?.startsWith(fence) && !isInside)
        return ticks === fence && indent === column ? next : undefined;
      if (indent < column) return undefined;
      if (this.#colons > 0 && /^[ \t]*:{3,}[ \t]*$/.test(inner)) return undefined;
    }
    return undefined;
  }

  #text(line: Line): void {
    const { text } = line;
    const blank = text.trim() === '';
    if (blank) {
      this.#paragraph += 1;
      this.#markup = false;
    } else {
      this.#enterContainers(text);
      // Its content is not Markdown.
      if (RAW_SHORTCODE.test(text))
        this.unclear.push({ start: line.start, end: line.end, info: '' });
      if (!this.#reading.mdx && !this.#markup && MARKUP.test(text)) {
        this.#markup = true;
        this.#comment = COMMENT_BEGINS.test(text);
      }
      if (/<pre\b/i.test(text)) this.#pre = !this.#reading.mdx;
      if (/<\/pre\s*>/i.test(text)) this.#pre = false;
      if (this.#isRaw) this.#elements = openedBy(text, this.#elements);
      this.#add(line);
      if (this.#comment && COMMENT_ENDS.test(text)) this.#markup = this.#comment = false;
    }
    this.#blank = blank;
  }

  #enterContainers(text: string): void {
    const indent = columnsOf(/^[ \t]*/.exec(text)?.[0] ?? '');
    const colons = COLONS.exec(text);
    if (colons) this.#colons += colons[1] === '' && this.#colons > 0 ? -1 : 1;
    const container = CONTAINER.exec(text);
    if (this.#blank || container)
      this.#containers = this.#containers.filter(offset => offset <= indent);
    if (!container) return;
    const [, before = '', marker] = container;
    this.#containers.push(
      columnsOf(before) + (marker === undefined ? 4 : Math.min(columnsOf(marker), 5)),
    );
  }

  #add({ start, end, text }: Line): void {
    const isOutside = !this.#markup && !this.#pre && this.#elements.length === 0;
    const trusted = isOutside && this.unclear.length === 0;
    const table = /[|:+]/.test(text) && /^[ \t>|:+=-]*[-=][ \t>|:+=-]*$/.test(text);
    const last = this.texts.at(-1);
    if (table) for (const one of this.#paragraphBlocks()) one.table = true;
    const inTable = table || (last?.paragraph === this.#paragraph && last.table);
    if (last?.paragraph === this.#paragraph && last.trusted === trusted && last.table === inTable)
      last.end = end;
    else this.texts.push({ start, end, trusted, paragraph: this.#paragraph, table: inTable });
  }

  #paragraphBlocks(): TextBlock[] {
    return this.texts.slice(-50).filter(one => one.paragraph === this.#paragraph);
  }
}

const TAG = /<(\/?)([a-z][\w.+-]*)(?![\w.+-]*[:@])(?:[^<>"']|"[^"]*"|'[^']*')*>?/gi;
const VOID = /^(?:area|br|col|hr|img|input|link|meta|source|track|wbr)$/;

/** The elements that are open behind a line: what closes none of them closes nothing. */
function openedBy(text: string, open: readonly string[]): string[] {
  const left = [...open];
  for (const [tag, slash, word = ''] of text.replace(/`[^`]*`/g, '').matchAll(TAG)) {
    const name = word.toLowerCase();
    if (slash !== '') {
      const at = left.lastIndexOf(name);
      if (at >= 0) left.length = at;
    } else if (!VOID.test(name) && !tag.endsWith('/>')) left.push(name);
  }
  return left;
}

function depthOf(text: string): number {
  return (QUOTE.exec(text)?.[0] ?? '').split('>').length - 1;
}

function columnsOf(text: string): number {
  return [...text].reduce((sum, char) => (char === '\t' ? sum - (sum % 4) + 4 : sum + 1), 0);
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next + 1;
    lines.push({ start, end, text: text.slice(start, end).replace(/\r?\n$/, '') });
    start = end;
  }
  return lines;
}
