import { judgeAddress } from './judge-address.ts';
import { isBehindWords, lineFrom, lineUpTo } from './extent.ts';
import { directiveItem } from './fences.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { anyOf } from './names.ts';
import { judgeClassDirective, judgeClasses } from './tags.ts';
import { judgeMark } from './templates.ts';

/** What may stand before the first word of a line: quotes, marks of lists and notes, tasks, bars. */
const PREFIX =
  /[ \t>|]*(?:(?:[-*+:~]|(?:\d{1,9}|[a-zA-Z]|[ivx]+|#)[.)])[ \t]+|\[[ xX]\][ \t]+|\[\^[^\]\n]*\]:[ \t]*|>[ \t]*)*/y;
const BEGINS = /:::|::|:[\w-]+:[ \t]|!!!|\?\?\?|===|\/\/\/|<<<|%%|@|\*\[[^\]\n]*\]:/y;
/** Admonitions, tabs and other blocks, in the spelling of each generator. */
const NAMES = anyOf(`
  note tip info warn warning danger caution important secondary success details code-group code-tabs
  tabs tab steps v-pre raw center left right card card-grid check attention example question quote
  abstract failure bug summary tldr todo hint done help faq fail missing error cite seealso caption
  admonition deprecated version(?:added|changed) new
`);
const TITLE = String.raw`(?:[^<>{}\x60"]|\x60[^<>{}\x60"]*\x60)*`;
/** Whole lines that begin or end a block of words; in the last, what is described has a name. */
const BLOCKS = new RegExp(
  [
    String.raw`^:{3,}[ \t]?(?:${NAMES}(?:\[[^\][{}<>]*\]|[ \t]+(?:[^[\]{}<>|]|</?(?:sup|sub|b|i|em|strong|code|kbd)>)*)?(?:\{(?:open|[.#][\w-]+)\})?)?[ \t]*$`,
    String.raw`^(?:!!!|\?\?\?\+?) ?${NAMES}(?: (?:inline|end|annotate))*(?: "${TITLE}")?[ \t]*$`,
    String.raw`^/{3,}(?:[ \t]*|[ \t]+(?!raw|v-pre)${NAMES}(?:[ \t]*\|${TITLE})?)$`,
    String.raw`^===[!+]? +"[^"<>{}]*"[ \t]*$|^=+[ \t]*$`,
    String.raw`^\*\[[^\]]*\]:(?!.*\bscript:)[^"'<>{}&\x60]*$`,
  ].join('|'),
);
/** Options of a block of pymdownx, right below its first line. */
const BLOCK_OPTIONS =
  /^(?:\r?\n[ \t]+(?:type: [a-z]+|(?:open|new|select): (?:[Tt]rue|[Ff]alse))[ \t]*)*$/;
const MAY_CONTINUE = /^(?:\/\/\/|\*\[)/;
/** What reads a file, or a whole page, behind the mark. */
const READS = /^(?:%%|<<<(?!<)|@\[|@include|\/\/\/)/;
const DIRECTIVE = /^:{3,}[ \t]*\{([\w:.+-]+)\}/;
/** What is described is of the same package. */
const MODULE = /^:::[ \t]+\w+(?=(?:\.\w+)+[ \t]*$)/;
const DEFINITION = /^\]:[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))?([^\n]*)$/;
const ADDRESS_OPTIONS = /^:(?:target|link|link-alt|file|url|href|image|img-[\w-]+|source)$/;

/** Judges what begins a line; returns the offset from which the rest is read as text. */
export function judgeLineStart(
  text: string,
  start: number,
  reading: PageReading,
  report: Report,
): number {
  PREFIX.lastIndex = start;
  const at = start + (PREFIX.exec(text)?.[0].length ?? 0);
  BEGINS.lastIndex = at;
  if (!BEGINS.test(text)) return at;
  const line = text.slice(at, lineFrom(text, at)).replace(/\r$/, '');
  const stop = at + line.length;
  const [, name] = DIRECTIVE.exec(line) ?? [];
  if (name !== undefined) return judgeDirective(name, line, at, reading, report);
  if (/^:[\w-]/.test(line)) return judgeOption(line, at, reading, report);
  if (/^(?:<<<<|@(?!\[|include)|::(?!:|[a-z]))/i.test(line)) return at;
  const [below = ''] = /^(?:\r?\n[ \t]+\S[^\n]*)*/.exec(text.slice(stop, stop + 2_000)) ?? [];
  const isWhole = !MAY_CONTINUE.test(line) || BLOCK_OPTIONS.test(below);
  // What is behind the mark is read as text.
  if (BLOCKS.test(line) && isWhole) return line.startsWith('*') ? at : at + 3;
  if (READS.test(line)) return judgeMark(text, at, report);
  const more = line.startsWith(':::') ? below : '';
  report(at, {
    rule: line.startsWith('::') ? 'mdx-code' : 'markup',
    key: `line ${squeeze(`${MODULE.exec(line)?.[0] ?? line} ${more}`)}`,
    what: 'a block whose first line is not plain',
    instead: 'Write the text itself, or use the spelling of the documentation.',
    hint: line.slice(0, 5),
  });
  return stop;
}

/** A directive of MyST; its argument is text. */
function judgeDirective(
  name: string,
  line: string,
  at: number,
  { path }: PageReading,
  report: Report,
): number {
  const [head = ''] = DIRECTIVE.exec(line) ?? [];
  const argument = line.slice(head.length);
  const item = directiveItem(name, argument, '');
  if (item) report(at, item);
  else judgeClassDirective(name, argument, { at, report });
  if (!item && /^(?:figure|image)$/.test(name))
    judgeAddress(argument, 'load', { at, what: 'an image', from: path }, report);
  return at + head.length;
}

function judgeOption(line: string, at: number, reading: PageReading, report: Report): number {
  const [, name = '', value = ''] = /^(:[\w-]+):[ \t]+(.*)$/.exec(line) ?? [];
  if (/class/.test(name)) judgeClasses(value, { at, report });
  if (/^:(?:file|url)$/.test(name))
    report(at, {
      rule: 'mdx-code',
      key: `option ${squeeze(line)}`,
      what: `an option \`${name}:\`, which loads a file`,
      instead: 'Write the text itself.',
      hint: name,
    });
  else if (ADDRESS_OPTIONS.test(name) && /[:/\\]/.test(value))
    judgeAddress(value, 'link', { at, what: 'a link', from: reading.path }, report);
  return at;
}

/** Judges the address behind `]:`, wherever it is in a line; returns where to continue. */
export function judgeDefinition(
  text: string,
  at: number,
  { path }: PageReading,
  report: Report,
): number {
  const lead = lineUpTo(text, at);
  const rest = text.slice(at, lineFrom(text, at)).replace(/\r$/, '');
  if (/\[\^[^[\]]*$/.test(lead)) return at + 2;
  // Behind words in its line, it begins no block.
  const [, before = ''] = /^(.*)(?<!\\)\[[^[]*$/.exec(lead) ?? [];
  if (isBehindWords(before) && !/>\s*$/.test(before)) return at + 2;
  const [, angled, bare, title = ''] = DEFINITION.exec(rest) ?? [];
  const address = angled ?? bare;
  const isTitle = /^[ \t]*$|^[ \t]+["'(]/.test(title);
  const place = { at, what: 'a link', from: path };
  const refuse = (more: string): void =>
    report(at, {
      rule: 'markup',
      key: `definition ${squeeze(`${lead}${rest} ${more}`)}`,
      what: 'the address of a link that is not plain',
      instead: 'Write `[name]: https://…` in one line.',
      hint: rest.slice(0, 12),
    });
  const next = text.slice(at + rest.length, at + rest.length + 500);
  if (address === undefined) {
    if (/^(?:[ \t]*\r?\n){2}|^\s*$/.test(next)) return at + 2;
    // The address is the only word of the next line.
    const [whole = '', inAngles, word] =
      /^\r?\n[ \t>]*(?:<([^<>\n]*)>|([^\s<]\S*))(?=[ \t]*\r?(?:\n|$))/.exec(next) ?? [];
    if (whole !== '') judgeAddress(inAngles ?? word ?? '', 'load', place, report);
    else refuse(next.split('\n')[1] ?? '');
    return at + rest.length + whole.length;
  }
  if (!lead.includes('[')) refuse('');
  if (!isTitle) return at + 2;
  // An image may be meant.
  judgeAddress(address, 'load', place, report);
  return at + rest.length - title.length;
}

/** Whether a place is in a heading, or in a title of the navigation. */
export function isHeading(text: string, at: number, path: string): boolean {
  const end = lineFrom(text, at);
  return (
    /(?:^|\/)SUMMARY\.md$/i.test(path) ||
    /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*#/.test(lineUpTo(text, at)) ||
    /^\n[ \t>]*(?:=+|-+)[ \t]*\r?$/.test(text.slice(end, lineFrom(text, end + 1)))
  );
}
