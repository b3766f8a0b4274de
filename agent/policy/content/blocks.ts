import type { PageReading } from './item.ts';

/** Lines of text in which every renderer sees the same code spans, if it is `trusted`. */
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
  /** Offset from which renderers may disagree on what is code; undefined where none do. */
  unclear: number | undefined;
}

interface Line {
  start: number;
  /** Without the line end. */
  text: string;
  end: number;
}

const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^\n]*)$/;
const QUOTE = /^(?:[ \t]{0,3}>[ \t]?)+/;
/** What may begin a block of its own, after which an open code span is none for some. */
const STARTS_BLOCK = /^[ \t]*(?:[-*+>#|=~:!{<]|\d{1,9}[.)]|`{3}|---)/;
/** A list item, an admonition or a tab, whose content is indented. */
const CONTAINER = /^([ \t]*)(?:((?:[-*+]|\d{1,9}[.)])[ \t]+)|(?:!!!|\?\?\?\+?|===|:::)[^\n]*)/;
/** Elements that begin a block of HTML wherever they are, by CommonMark or by Python-Markdown. */
const HTML_BLOCKS = new RegExp(
  '^</?(?:address|article|aside|base|basefont|blockquote|body|canvas|caption|center|col|' +
    'colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|' +
    'frameset|group|h[1-6]|head|header|hgroup|hr|html|iframe|legend|li|link|main|map|math|menu|' +
    'menuitem|nav|noframes|noscript|ol|optgroup|option|output|p|param|picture|progress|search|' +
    'section|summary|table|tbody|td|template|tfoot|th|thead|title|tr|track|ul|video)\\b',
  'i',
);
/** HTML that continues past empty lines, and how it ends. */
const HTML_UNTIL: readonly [RegExp, RegExp][] = [
  [/^<(?:script|pre|style|textarea)\b/i, /<\/(?:script|pre|style|textarea)\s*>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

/**
 * Splits a page's body into text and code. Code is only what all readings of Markdown call code: a
 * fence that some renderer would read as text, or end elsewhere, is text here, and so is everything
 * below it. Indented code is text: MDX knows none.
 */
export function readBlocks(body: string, reading: PageReading): Blocks {
  const reader = new BlockReader(linesOf(body), reading);
  reader.read();
  return reader;
}

class BlockReader implements Blocks {
  readonly texts: TextBlock[] = [];
  readonly fences: Fence[] = [];
  unclear: number | undefined;
  readonly #lines: readonly Line[];
  readonly #reading: PageReading;
  #paragraph = 0;
  #html = false;
  #until: RegExp | undefined;
  #containers: number[] = [];
  #blank = true;
  /** The last line of text. */
  #before = '';

  constructor(lines: readonly Line[], reading: PageReading) {
    this.#lines = lines;
    this.#reading = reading;
  }

  read(): void {
    for (let at = 0; at < this.#lines.length;) {
      const line = this.#lines[at];
      if (!line) break;
      at = this.#fence(line, at) ?? this.#indented(line, at) ?? (this.#text(line), at + 1);
    }
  }

  /** The line after a code block that begins here; undefined if none does. */
  #fence(line: Line, at: number): number | undefined {
    const opening = openingFence(line.text);
    if (!opening || this.unclear !== undefined) return undefined;
    const close = this.#html || !this.#mayOpen(opening) ? undefined : this.#close(opening, at);
    const last = close === undefined ? undefined : this.#lines[close];
    if (close === undefined || !last) {
      this.unclear = line.start;
      return undefined;
    }
    this.fences.push({ start: line.start, end: last.end, info: opening.info });
    this.#paragraph += 1;
    this.#blank = true;
    return close + 1;
  }

  /** The line after code by four spaces behind an empty line, where no generator compiles pages. */
  #indented(line: Line, at: number): number | undefined {
    const isCode = (one: Line) => /^(?: {4}|\t)/.test(one.text) || one.text.trim() === '';
    const { mayBeMdx, plainPython } = this.#reading;
    const isClear = this.#blank && !this.#html && this.unclear === undefined;
    if (mayBeMdx || plainPython || !isClear || this.#containers.length > 0 || !isCode(line))
      return undefined;
    if (line.text.trim() === '' || line.start === 0 || /^\s*$/.test(this.#before)) return undefined;
    if (/^[ \t]*(?:[:<!?=>[|]|[-*+] |\d+[.)])/.test(this.#before)) return undefined;
    let next = at + 1;
    while (next < this.#lines.length && isCode(this.#lines[next] ?? line)) next++;
    // From the line end before it: the first line is content.
    this.fences.push({
      start: line.start - 1,
      end: this.#lines[next - 1]?.end ?? line.end,
      info: '',
    });
    this.#paragraph += 1;
    return next;
  }

  /** Four spaces are code of their own, or continue a paragraph, unless a list asks for them. */
  #mayOpen({ column, info, quotes, marker }: Opening): boolean {
    if (this.#reading.plainPython && (column > 0 || quotes > 0 || !PYTHON_INFO.test(info)))
      return false;
    if (column < 4 || marker || this.#blank || this.#reading.mdx) return true;
    return this.#containers.some(offset => offset <= column && column < offset + 4);
  }

  /** The closing line, if every renderer takes this one and nothing leaves the block before it. */
  #close({ fence, column, quotes }: Opening, at: number): number | undefined {
    for (let next = at + 1; next < this.#lines.length; next++) {
      const { depth, rest } = unquote(this.#lines[next]?.text ?? '');
      if (depth < quotes) return undefined;
      const inner = quotes === 0 ? (this.#lines[next]?.text ?? '') : rest;
      if (inner.trim() === '') continue;
      const indent = columnsOf(/^[ \t]*/.exec(inner)?.[0] ?? '');
      const ticks = /^[ \t]*(`{3,}|~{3,})[ \t]*$/.exec(inner)?.[1];
      if (ticks !== undefined && ticks.startsWith(fence))
        return ticks === fence && indent === column ? next : undefined;
      if (indent < column) return undefined;
    }
    return undefined;
  }

  #text(line: Line): void {
    const blank = line.text.trim() === '';
    if (blank) {
      this.#paragraph += 1;
      this.#html = this.#until !== undefined;
    } else {
      this.#enterContainers(line.text);
      if (!this.#reading.mdx) this.#enterHtml(line.text);
      this.#add(line);
    }
    if (this.#until?.test(line.text)) this.#until = undefined;
    this.#blank = blank;
    if (!blank) this.#before = line.text;
  }

  #enterContainers(text: string): void {
    const indent = columnsOf(/^[ \t]*/.exec(text)?.[0] ?? '');
    const container = CONTAINER.exec(text);
    if (this.#blank || container)
      this.#containers = this.#containers.filter(offset => offset <= indent);
    if (!container) return;
    const [, before = '', marker] = container;
    this.#containers.push(
      columnsOf(before) + (marker === undefined ? 4 : Math.min(columnsOf(marker), 5)),
    );
  }

  #enterHtml(text: string): void {
    // A comment of one line ends there for everybody.
    if (this.#until || /^[ \t]*<!--[^<>]*-->[ \t]*$/.test(text)) return;
    const { rest } = unquote(text);
    const inner = rest.replace(/^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/, '');
    const [, until] = HTML_UNTIL.find(([start]) => start.test(inner)) ?? [];
    if (until) {
      this.#html = true;
      this.#until = until;
    } else if (HTML_BLOCKS.test(inner) || (/^<\/?[a-z]/i.test(inner) && />\s*$/.test(inner)))
      this.#html = true;
  }

  #add({ start, end, text }: Line): void {
    const trusted = !this.#html && this.unclear === undefined;
    const table = /-/.test(text) && /\|/.test(text) && /^[\s|:>-]+$/.test(text);
    const last = this.texts.at(-1);
    if (table) for (const one of this.#paragraphBlocks()) one.table = true;
    const inTable = table || (last?.paragraph === this.#paragraph && last.table);
    if (
      last?.paragraph === this.#paragraph &&
      last.trusted === trusted &&
      last.table === inTable &&
      !STARTS_BLOCK.test(text)
    )
      last.end = end;
    else this.texts.push({ start, end, trusted, paragraph: this.#paragraph, table: inTable });
  }

  #paragraphBlocks(): TextBlock[] {
    return this.texts.slice(-50).filter(one => one.paragraph === this.#paragraph);
  }
}

interface Opening {
  fence: string;
  info: string;
  column: number;
  quotes: number;
  /** The fence stands behind the mark of a list item. */
  marker: boolean;
}

/** What Python-Markdown's own extension takes for the head of a code block. */
const PYTHON_INFO =
  /^[ ]*(?:\{[^\n]*\}|\.?[\w#.+-]*[ ]*(?:hl_lines=(?:"[^"\n]*"|'[^'\n]*'))?[ ]*)$/;

function openingFence(text: string): Opening | undefined {
  const { depth: quotes, rest } = unquote(text);
  const [, before = '', fence = '', info = ''] = FENCE.exec(quotes === 0 ? text : rest) ?? [];
  if (fence === '' || (fence.startsWith('`') && info.includes('`'))) return undefined;
  return { fence, info, column: columnsOf(before), quotes, marker: /\S/.test(before) };
}

function unquote(text: string): { depth: number; rest: string } {
  const [prefix = ''] = QUOTE.exec(text) ?? [];
  return { depth: prefix.split('>').length - 1, rest: text.slice(prefix.length) };
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
