import { judgeAddress } from './judge-address.ts';
import { lineFrom, lineUpTo, matchAt } from './extent.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { judgeMark } from './templates.ts';

const LINK =
  /\]\([ \t]*(?:<([^<>\n]*)>|((?:\{\{[^{}()\n]*\}\}|\{%[^{}()\n]*%\}|[^\s()<>]|\([^\s()<>]*\))*))([ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)/y;

/** Judges the address behind `](`; returns where to continue. */
export function judgeLink(text: string, at: number, reading: PageReading, report: Report): number {
  const found = matchAt(text, LINK, at);
  const line = text.slice(at, lineFrom(text, at));
  if (!found) {
    if (/^\]\([ \t]*<?\{[{%]/.test(line)) return at + 2;
    const [raw = line] = /^[^)]*\)?/.exec(line) ?? [];
    const isCode = /^\]\([ \t]*`/.test(line);
    if (isCode) return at + 2;
    return oddLink(text, at, raw, reading, report);
  }
  const [whole, angled, bare = '', title = ''] = found;
  const isImage = mayBeImage(text, at);
  const use = isImage ? 'load' : 'link';
  const what = isImage ? 'an image' : 'a link';
  const place = { at, what, from: reading.path };
  judgeAddress(angled ?? bare, use, place, report);
  if (/["'(]\s*:\w/.test(title)) judgeMark(text, at, report);
  return /[<{`&\\]/.test(title) ? at + 2 : at + whole.length;
}

/** Only a text that begins in the same line, and not behind an exclamation mark, is that of a link. */
function mayBeImage(text: string, at: number): boolean {
  const lead = lineUpTo(text, at);
  let depth = 1;
  let begin = lead.length - 1;
  for (; begin >= 0; begin--) {
    const char = lead.charAt(begin);
    if (char === ']') depth += 1;
    else if (char === '[' && --depth === 0) break;
  }
  return begin < 0 || lead.charAt(begin - 1) === '!';
}

/** Python-Markdown takes spaces in an address. */
function oddLink(
  text: string,
  at: number,
  raw: string,
  reading: PageReading,
  report: Report,
): number {
  const words = raw.slice(2).replace(/\)$/, '').trim();
  const place = { at, what: 'a link', from: reading.path };
  if (words !== '' && !/^["'<]/.test(words)) judgeAddress(words, 'link', place, report);
  else if (words !== '' || /^\]\(\s*$/.test(raw))
    report(at, {
      rule: 'markup',
      key: `odd ${squeeze(text.slice(at, at + raw.length))}`,
      what: 'a link that is not plain',
      instead: 'Write `[text](https://…)` in one line.',
      hint: '](',
    });
  return at + 2;
}

/** A link as wikis write it; what it leads to, some load. */
export function judgeWikiLink(
  text: string,
  at: number,
  { path }: PageReading,
  report: Report,
): number {
  const [, address = ''] =
    /^\[\[([^[\]\n|#]*)(?:[#|][^[\]\n]*)?\]\](?![([])/.exec(text.slice(at, at + 200)) ?? [];
  if (address !== '' && !/^_?toc_?$/i.test(address))
    judgeAddress(address.trim(), 'load', { at, what: 'a link', from: path }, report);
  return at + 2;
}

/** Whatever could become a link: the scheme by itself is enough. */
export function judgeSchemes(text: string, at: number, report: Report): void {
  const plain = text.replace(/[\p{Cc}\p{Cf}\\]/gu, '');
  const [found] = /\b(?:javascript|vbscript|livescript):(?=[^\s*_`"'”)])\S*/i.exec(plain) ?? [];
  if (found === undefined) return;
  report(at, {
    rule: 'script',
    key: `address ${squeeze(found)}`,
    what: 'an address that runs a script',
    instead: 'Leave it out, or show it in a code block.',
    hint: found.slice(0, 11),
  });
}
