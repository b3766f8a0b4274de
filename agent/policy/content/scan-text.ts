import { judgeAddress } from './judge-address.ts';
import type { TextBlock } from './blocks.ts';
import { judgeBrace } from './braces.ts';
import { lineFrom, lineUpTo, matchAt } from './extent.ts';
import { judgeLink, judgeSchemes, judgeWikiLink } from './links.ts';
import { judgeCommand, judgeFormula } from './formulas.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { isHeading, judgeDefinition, judgeLineStart } from './line-starts.ts';
import { referenceEnd } from './plain-text.ts';
import { ACTIVE_NAME } from './safe-list.ts';
import { isSafeName, judgeTag, readTag } from './tags.ts';
import { judgeInCode, judgeMark, judgeTemplate } from './templates.ts';

/** Every mark that begins something in some generator, wherever it stands in a text. */
const MARKS =
  /[<{`&\\$\n]|\]\(|\]:|!?\[\[|@\[|@include\(|mdx-code-block|-+8<-+|(?<![\w:]):[a-zA-Z][\w-]*(?=[[{])/g;
const AUTOLINK = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)>/iy;
const MAIL = /<[\w.+-]+@[\w.-]+>/y;
const CLOSING = /<\/([A-Za-z][\w.-]*)?>|<>/y;
const COMMENT = /<!--(?!-?>)((?:(?!--)(?:[^<>`]|`[^<>`\n]+`))*)-->/y;
/** Some reader may see no comment: its words are read as text, too. */
const MAY_BE_TEXT = /\{|\n[ \t]*\r?\n/;
/** What stands in a comment may not begin anything, and nobody follows its links. */
const HIDDEN = new RegExp(
  [
    String.raw`^(?!\s*(?:[-*#]\s+)?(?:[A-Za-z',]+\s+){3})[^]*:\/\/`, // in words, an address is one of the words
    String.raw`^#\w`,
    String.raw`^\s*(?:[@$%&=~^|\\]|cmdrun\b|include\b|embed\b|exec\b|run\b|codeinclude)`,
    String.raw`script\s*:|8<|%%|!\w*\(|\*\/`,
  ].join('|'),
  'i',
);
const DISPLAY = /\$\$((?:(?!\n[ \t]*\n)[^$`])+)\$\$/y;
const INLINE = /\$(?=[^\s$])([^$`\n]*[^\s$`\\])\$(?!\d)/y;

/**
 * Walks over the text of a page from mark to mark. Each mark must begin one of the plain forms; of
 * any other the text is reported. Only code spans that all renderers agree on are passed over.
 */
export class TextScan {
  readonly #text: string;
  readonly #reading: PageReading;
  readonly #report: Report;
  /** Up to here the text is judged. */
  #judgedTo = 0;
  /** A paragraph in which marks may pair in more than one way. */
  #openParagraph = -1;
  /** A paragraph with a dollar in its text; with one that begins no plain formula. */
  #dollars = -1;
  #openDollars = -1;
  #paragraph = -1;
  /** Where the next code block begins: what begins before it may not go past it. */
  limit = Infinity;

  constructor(text: string, reading: PageReading, report: Report) {
    this.#text = text;
    this.#reading = reading;
    this.#report = report;
  }

  scan({ start, end, trusted, paragraph, table }: TextBlock): void {
    let ticks = trusted && paragraph !== this.#openParagraph;
    this.#paragraph = paragraph;
    let at = this.#lineStart(Math.max(start, this.#judgedTo), start);
    let from = start;
    const shown: string[] = [];
    while (at < end) {
      MARKS.lastIndex = at;
      const mark = MARKS.exec(this.#text);
      if (!mark || mark.index >= end) break;
      at = mark.index;
      if (mark[0] === '`') {
        const close = ticks ? this.#codeSpan(at, end, table) : undefined;
        if (close === undefined) ticks = false;
        else shown.push(this.#text.slice(from, at));
        from = close ?? from;
        at = close ?? at + 1;
      } else if (mark[0] === '\n') at = this.#lineStart(at + 1, at + 1);
      else {
        if (mark[0] === '\\' && this.#text.charAt(at + 1) === '`') ticks = false;
        const next = this.#mark(mark[0], at, end);
        if (next > this.limit)
          this.#refuse(at, at + 200, 'markup', 'a mark that a code block is within');
        at = next > this.limit ? at + 1 : next;
      }
    }
    if (!ticks) this.#openParagraph = paragraph;
    this.#judgedTo = Math.max(this.#judgedTo, at);
    judgeSchemes(`${shown.join(' ')} ${this.#text.slice(from, end)}`, start, this.#report);
  }

  #lineStart(at: number, start: number): number {
    if (at > start || at >= this.#text.length) return at;
    return judgeLineStart(this.#text, at, this.#reading, this.#report);
  }

  #mark(mark: string, at: number, end: number): number {
    switch (mark) {
      case '<':
        return this.#angle(at, end);
      case '{':
        return judgeBrace(this.#text, at, this.#reading, this.#report);
      case '&': {
        const next = referenceEnd(this.#text, at);
        const isMark = /^&(?:lt|gt|quot|#)/.test(this.#text.slice(at, at + 6));
        const isBook = this.#reading.kinds.includes('mdbook');
        const isMarkup = isBook && isMark && isHeading(this.#text, at, this.#reading.path);
        return next === undefined || isMarkup ? this.#reference(at) : next;
      }
      case '\\':
        return this.#escape(at);
      case '$':
        return this.#formula(at);
      case '](':
        return judgeLink(this.#text, at, this.#reading, this.#report);
      case ']:':
        return judgeDefinition(this.#text, at, this.#reading, this.#report);
      case '[[':
        return judgeWikiLink(this.#text, at, this.#reading, this.#report);
      default:
        if (!mark.startsWith(':')) return judgeMark(this.#text, at, this.#report);
        return this.#refuse(at, at + mark.length, 'markup', 'a directive in a line');
    }
  }

  /** Where the span ends that begins at `at`; undefined if renderers may differ. */
  #codeSpan(at: number, end: number, table: boolean): number | undefined {
    const [ticks = '`'] = /^`+/.exec(this.#text.slice(at, at + 100)) ?? [];
    const inside = at + ticks.length;
    const line = this.#text.indexOf('\n', at);
    const rest = this.#text.slice(inside, Math.min(end, line < 0 ? end : line, inside + 4_000));
    const close = new RegExp(`(?<!\`)\`{${ticks.length}}(?!\`)`).exec(rest)?.index;
    if (close === undefined) return undefined;
    const inner = rest.slice(0, close);
    if (table && /(?<!\\)\|/.test(inner)) return undefined;
    // A formula of some generator could end in the span.
    if (this.#dollars === this.#paragraph && inner.includes('$')) return undefined;
    // Nothing in a span begins a line.
    judgeInCode(`x${inner}`, inside - 1, this.#reading.kinds, this.#report);
    return inside + close + ticks.length;
  }

  /** Judges what begins with `<`; returns where to continue. */
  #angle(at: number, end: number): number {
    const next = this.#text.charAt(at + 1);
    if (next === '%') return judgeTemplate(this.#text, at, this.#report);
    if (next === '<' && this.#text.startsWith('<<<', at) && this.#text.charAt(at + 3) !== '<')
      return judgeMark(this.#text, at, this.#report);
    if (/[ \t\r\n\d=<.,;:)"'*+~|-]/.test(next) || next === '') return at + 1;
    const link = matchAt(this.#text, AUTOLINK, at);
    if (link) {
      const what = { at, what: 'a link', from: this.#reading.path };
      judgeAddress(link[1] ?? '', 'link', what, this.#report);
      return at + link[0].length;
    }
    const plain = matchAt(this.#text, MAIL, at) ?? matchAt(this.#text, CLOSING, at);
    if (plain) return at + plain[0].length;
    const comment = matchAt(this.#text, COMMENT, at);
    if (comment && !HIDDEN.test(comment[1] ?? '')) {
      const stop = at + comment[0].length;
      return stop <= this.limit && MAY_BE_TEXT.test(comment[0]) ? at + 4 : stop;
    }
    const tag = next === '!' || next === '?' ? undefined : readTag(this.#text, at);
    const isQuote = /^[ \t]*(?:(?:[-*+]|\d+[.)])[ \t]+)*>/.test(lineUpTo(this.#text, at));
    if (tag && !(isQuote && this.#text.slice(at, tag.end).includes('\n'))) {
      const isWord = tag.attributes.length === 0 && !ACTIVE_NAME.test(tag.name);
      if (this.#text.charAt(at - 1) === '\\' && isWord && !isSafeName(tag.name)) return tag.end;
      return judgeTag(tag, this.#text, at, this.#reading, this.#report);
    }
    return this.#oddAngle(at, end);
  }

  #oddAngle(at: number, end: number): number {
    const source = this.#text.slice(at, Math.min(end, at + 400));
    const isComment = source.startsWith('<!--');
    if (/^<!--\s*@include/.test(source)) return judgeMark(this.#text, at, this.#report);
    const close = this.#text.slice(at, at + 4_000).indexOf(isComment ? '-->' : '>');
    // What is behind it is read too: nobody knows where it ends.
    const stop = close < 0 ? lineFrom(this.#text, at) : at + close + (isComment ? 3 : 1);
    const what = isComment ? 'a comment that is not plain text' : 'a `<` that is not plain';
    return this.#refuse(at, stop, this.#ruleOf(source), what, isComment ? at + 4 : at + 1);
  }

  #ruleOf(source: string): 'script' | 'embed' | 'markup' {
    if (/^<(?:script|style|link|meta|base)\b|script:|[\s/"']on[a-z]+\s*=/i.test(source))
      return 'script';
    return /^<(?:iframe|object|embed|form|video|audio)\b/i.test(source) ? 'embed' : 'markup';
  }

  #refuse(
    at: number,
    end: number,
    rule: 'script' | 'embed' | 'markup' | 'mdx-code',
    what: string,
    next = end,
  ): number {
    const source = squeeze(this.#text.slice(at, end));
    const instead = /^&/.test(source)
      ? 'Write the character itself, or put it in a code span.'
      : 'Put it in a code span or block, or write the character as &lt; or \\{.';
    this.#report(at, { rule, key: `odd ${source}`, what, instead, hint: source.slice(0, 12) });
    return Math.max(next, at + 1);
  }

  #reference(at: number): number {
    const end = at + (/^&#?\w{0,32};?/.exec(this.#text.slice(at, at + 40))?.[0].length ?? 1);
    const isBrace = /^&(?:#0*123|#x0*7b|lcub|lbrace)\b/i.test(this.#text.slice(at, end));
    const near = this.#text.slice(at, at + 200);
    // MDX reads it as text.
    if (isBrace && !this.#reading.mdx)
      this.#report(at, {
        rule: 'template',
        key: `template ${squeeze(near.split('\n', 1)[0] ?? '')}`,
        what: 'a brace by its number or name, which some renderers read as an expression',
        instead: 'Show it in a code block.',
        hint: near.slice(0, 6),
      });
    else if (!isBrace) this.#refuse(at, end, 'markup', 'a character by its number or name');
    return end;
  }

  #escape(at: number): number {
    const next = this.#text.charAt(at + 1);
    if (next === '<') return this.#reading.mdx ? at + 2 : at + 1;
    if (next === '{') {
      const twice = /^\\\{(?:\\?\{|[%#])/.test(this.#text.slice(at, at + 4));
      if (!twice || this.#reading.mdx) return at + 2;
      const near = squeeze(this.#text.slice(at, lineFrom(this.#text, at)));
      this.#report(at, {
        rule: 'template',
        key: `template ${near}`,
        what: 'two braces, which some renderers read as an expression',
        instead: 'Show it in a code block.',
        hint: '{',
      });
      return at + 4;
    }
    if (/[a-zA-Z([\\]/.test(next)) {
      const [paragraph = ''] = this.#text.slice(at, at + 4_000).split(/\n[ \t\r]*\n/, 1);
      judgeCommand(paragraph, at, this.#reading, this.#report);
    }
    return at + (/[\s\p{L}\p{N}]/u.test(next) ? 1 : 2);
  }

  #formula(at: number): number {
    this.#dollars = this.#paragraph;
    const found =
      this.#openDollars === this.#paragraph
        ? undefined
        : (matchAt(this.#text, DISPLAY, at) ?? matchAt(this.#text, INLINE, at));
    if (!found) {
      this.#openDollars = this.#paragraph;
      if (this.#text.startsWith('$$', at) && /^[ \t>]*$/.test(lineUpTo(this.#text, at)))
        this.#refuse(at, at + 2, 'markup', 'a formula that does not end in its paragraph');
      return at + 1;
    }
    const tex = found[1] ?? '';
    if (/\\[a-zA-Z]/.test(tex) || /[{}]/.test(tex))
      judgeFormula(tex, at, this.#report, this.#reading);
    else if (/[<&\]]/.test(tex)) return at + 1;
    return at + found[0].length;
  }
}
