import type { TextBlock } from './blocks.ts';
import { judgeAddress, judgeLinks } from '../addresses.ts';
import { type PageReading, type Report, squeeze } from '../item.ts';
import { judgeTag } from '../judge-tag.ts';
import { type Attribute, readTag } from './read-tag.ts';
import { judgeHiddenBraces, judgeTemplate } from './templates.ts';
import { judgeExpression } from '../judge-expression.ts';
import { judgeRole } from './roles.ts';
import { judgeBraceAttributes } from './brace-attributes.ts';
import { NextMatch } from './next-match.ts';
import { countWork, TooComplex } from '../work.ts';

const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)>/iy;
const MAIL = /<[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+>/y;
const CLOSING = /<\/[A-Za-z_$\u00a1-\uffff][\w$.:\u00a1-\uffff-]*\s*>/y;
const FRAGMENT = /<\/?>/y;
export interface Range {
  start: number;
  end: number;
}

/** Does something by its name alone. */
const ACTIVE_NAME =
  /^<(?:script|style|iframe|object|embed|link|meta|base|textarea|title|xmp|plaintext|template|svg|math)\b/i;
/** Comments within comments. */
const DEEPEST_COMMENT = 20;
/** Pages with more than this have more braces than anybody can read. */
const MOST_EXPRESSIONS = 3_000;

/**
 * Walks over the text of a page, mark by mark, as if every mark that some renderer acts on were
 * acted on. Only code spans that all renderers agree on are passed over.
 */
export class TextScan {
  readonly #text: string;
  readonly #reading: PageReading;
  readonly #report: Report;
  /** Up to here, braces are part of an expression that was judged as a whole. */
  #judgedTo = 0;
  #expressions = 0;
  /** How many comments are around the text that is read. */
  #comments = 0;
  /** A paragraph with a code span that is not closed where it begins. */
  #openParagraph = -1;

  readonly #statements: readonly Range[];
  readonly #blankLines: NextMatch;
  readonly #commentEnds: NextMatch;

  constructor(text: string, reading: PageReading, statements: readonly Range[], report: Report) {
    this.#text = text;
    this.#reading = reading;
    this.#statements = statements;
    this.#report = report;
    this.#blankLines = new NextMatch(text, /\n[ \t\r]*\n/g);
    this.#commentEnds = new NextMatch(text, /-->/g);
  }

  scan({ start, end, trusted, paragraph, table }: TextBlock): void {
    const plain: [number, number][] = [];
    const isTrusted = trusted && paragraph !== this.#openParagraph;
    let from = start;
    let ticks = isTrusted;
    for (let at = start; at < end;) {
      const char = this.#text.charAt(at);
      if (char === '`' && ticks) {
        const close = this.#codeSpan(at, end, table);
        if (close === undefined) {
          ticks = false;
          this.#openParagraph = paragraph;
          at += 1;
        } else {
          plain.push([from, at]);
          from = close;
          at = close;
        }
      } else if (char === '<') at = this.#angle(at, end);
      else if (char === '{') at = this.#brace(at, end);
      else at += 1;
    }
    plain.push([from, end]);
    for (const [left, right] of plain)
      judgeLinks(this.#text.slice(left, right), left, this.#report);
    if (this.#reading.mdx) return;
    for (const [left, right] of plain)
      judgeHiddenBraces(this.#text.slice(left, right), left, this.#report);
  }

  /** Where the span ends that begins at `at`; undefined if renderers may differ. */
  #codeSpan(at: number, end: number, table: boolean): number | undefined {
    if (this.#text.charAt(at - 1) === '\\') return undefined;
    const width = this.#ticksAt(at);
    const inside = at + width;
    for (let close = this.#text.indexOf('`', inside); close >= 0 && close < end;) {
      const closing = this.#ticksAt(close);
      if (closing === width) {
        const inner = this.#text.slice(inside, close);
        return table && /(?<!\\)\|/.test(inner) ? undefined : close + width;
      }
      close = this.#text.indexOf('`', close + closing);
    }
    countWork(end - at);
    return undefined;
  }

  /** How many backticks begin at an offset. */
  #ticksAt(at: number): number {
    let end = at;
    while (this.#text.charCodeAt(end) === 0x60) end += 1;
    return end - at;
  }

  /** Judges what begins with `<`; returns where to continue. */
  #angle(at: number, end: number): number {
    const next = this.#text.charAt(at + 1);
    if (next === '%')
      this.#unclear(at, Math.min(end, at + 200), 'a template of Ruby or JavaScript', 'template');
    if (!/[A-Za-z_$/!?\u00a1-\uffff]/.test(next) && next !== '>') return at + 1;
    const link = this.#match(AUTOLINK, at);
    if (link) {
      judgeAddress(link[1] ?? '', at, 'a link', this.#report);
      return at + link[0].length;
    }
    const harmless = this.#match(MAIL, at) ?? this.#match(CLOSING, at) ?? this.#match(FRAGMENT, at);
    // `</script>` ends what was opened elsewhere; alone it does nothing.
    if (harmless) return at + harmless[0].length;
    if (next === '!' || next === '?') return this.#declaration(at, end);
    return this.#tag(at, end);
  }

  #tag(at: number, end: number): number {
    const escaped = this.#text.charAt(at - 1) === '\\';
    const tag = readTag(this.#text, at);
    if (tag && tag.end <= end + this.#slack(at)) {
      // Python-Markdown does not know this escape; a name alone does nothing.
      if (
        escaped &&
        (this.#reading.mdx || tag.attributes.length === 0) &&
        !/^script$/i.test(tag.name)
      )
        return tag.end;
      judgeTag(tag, this.#text, at, this.#report);
      for (const attribute of tag.attributes) this.#nested(attribute, at);
      this.#judgedTo = Math.max(this.#judgedTo, tag.end);
      return tag.end;
    }
    if (escaped && this.#reading.mdx) return at + 1;
    // Without an attribute's value it does nothing, wherever it ends.
    const rest = this.#text.slice(at, Math.min(this.#nextBlankLine(at), at + 2_000));
    if (!/[={]/.test(rest) && !ACTIVE_NAME.test(rest)) return at + 1;
    this.#unclear(at, end, 'a `<` that some renderers take for a tag');
    return at + 1;
  }

  /** In MDX a tag may continue in lines that look like blocks of their own. */
  #slack(at: number): number {
    if (this.#reading.mdx) return 20_000;
    return this.#nextBlankLine(at) - at;
  }

  #nextBlankLine(at: number): number {
    return this.#blankLines.after(at) ?? this.#text.length;
  }

  /** A value of an attribute, read by someone to whom the quotes before it mean nothing. */
  #nested({ value, expression }: Attribute, at: number): void {
    const report: Report = (_, item) => this.#report(at, item);
    for (const match of value.matchAll(/<(?=[A-Za-z!?])/g)) {
      countWork(value.length - match.index);
      const tag = readTag(value, match.index);
      const isBare = tag ? tag.attributes.length === 0 : !/[=!?]/.test(value.slice(match.index));
      // Bare names such as `Array<string>` do nothing.
      if (isBare && !expression && !ACTIVE_NAME.test(value.slice(match.index))) continue;
      if (tag) judgeTag(tag, value, match.index, report);
      else {
        this.#unclear(at, at + 200, 'a `<` in an attribute');
        break;
      }
    }
    for (const match of value.matchAll(/\{[{%]/g))
      if (!expression) judgeTemplate(value, match.index, report);
  }

  #declaration(at: number, end: number): number {
    if (this.#text.startsWith('<!--', at)) {
      const close = this.#commentEnds.after(at + 4);
      const lineStart = this.#text.lastIndexOf('\n', at - 1) + 1;
      countWork(at - lineStart);
      const isBlock = /^[ \t>]*$/.test(this.#text.slice(lineStart, at));
      if (close !== undefined && (close < end || isBlock)) {
        this.#comment(at + 4, Math.min(close, end));
        return close < end ? close + 3 : end;
      }
      this.#unclear(at, end, 'a comment that is not closed in its paragraph');
      return at + 4;
    }
    this.#unclear(at, end, 'a declaration');
    return at + 2;
  }

  /** Some renderers show what is in comments, or end them elsewhere. */
  #comment(start: number, end: number): void {
    if (this.#comments >= DEEPEST_COMMENT) throw new TooComplex();
    this.#comments += 1;
    this.scan({ start, end, trusted: false, paragraph: -2, table: false });
    this.#comments -= 1;
  }

  #unclear(at: number, end: number, what: string, rule: 'markup' | 'template' = 'markup'): void {
    const stop = Math.min(Math.max(end, this.#nextBlankLine(at)), at + 2_000);
    const source = squeeze(this.#text.slice(at, Math.max(stop, at + 1)));
    countWork(source.length);
    this.#report(at, {
      rule,
      key: `unclear ${source}`,
      what,
      instead: 'Write &lt; for `<`, or put it in a code span or block.',
      hint: this.#text.slice(at, at + 12),
    });
  }

  #brace(at: number, end: number): number {
    if (at < this.#judgedTo) return at + 1;
    const escaped = this.#text.charAt(at - 1) === '\\';
    const template = escaped ? undefined : judgeTemplate(this.#text, at, this.#report);
    // What is between its braces is judged again as text: not everyone knows templates.
    if (template !== undefined) {
      this.#judgedTo = Math.max(this.#judgedTo, template);
      return at + 2;
    }
    judgeBraceAttributes(this.#text, at, this.#report);
    judgeRole(this.#text, at, this.#report);
    if (escaped && this.#reading.mdx) return at + 1;
    if (this.#statements.some(one => one.start <= at && at < one.end)) return at + 1;
    this.#expression(at, end);
    return at + 1;
  }

  #expression(at: number, end: number): void {
    if ((this.#expressions += 1) <= MOST_EXPRESSIONS) {
      const judged = judgeExpression(this.#text, at, this.#reading, this.#report);
      this.#judgedTo = Math.max(this.#judgedTo, judged);
    } else if (this.#expressions === MOST_EXPRESSIONS + 1)
      this.#unclear(at, end, 'more braces than can be judged');
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.#text);
  }
}
