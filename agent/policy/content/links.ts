import { judgeAddress } from './addresses.ts';
import { lineFrom, matchAt } from './extent.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { judgeMark } from './templates.ts';

const LINK =
  /\]\([ \t]*(?:<([^<>\n]*)>|((?:[^\s()<>]|\([^\s()<>]*\))*))([ \t]+(?:"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*\)/y;

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
  const lead = text.slice(Math.max(0, at - 300), at);
  const isImage = /!\[[^[\]]*$/.test(lead.slice(lead.lastIndexOf('\n') + 1));
  const use = isImage ? 'load' : 'link';
  const what = isImage ? 'an image' : 'a link';
  const place = { at, what, from: reading.path };
  judgeAddress(angled ?? bare, use, place, report);
  if (/["'(]\s*:\w/.test(title)) judgeMark(text, at, report);
  return /[<{`&\\]/.test(title) ? at + 2 : at + whole.length;
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
