import { judgeAddress } from './addresses.ts';
import { isBehindWords, lineFrom, lineUpTo } from './extent.ts';
import { directiveItem } from './fences.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { anyOf } from './names.ts';
import { SAFE_DIRECTIVES } from './safe-list.ts';
import { judgeClassDirective, judgeClasses } from './tags.ts';
import { judgeMark } from './templates.ts';
import { plainText } from './plain-text.ts';

/** What may stand before the first word of a line: quotes, marks of lists and notes, tasks, bars. */
const PREFIX =
  /[ \t>|]*(?:(?:[-*+:~]|(?:\d{1,9}|[a-zA-Z]|[ivx]+|#)[.)])[ \t]+|\[[ xX]\][ \t]+|\[\^[^\]\n]*\]:[ \t]*|>[ \t]*)*/y;
const BEGINS = /:::|::|:[\w-]+:[ \t]|!!!|\?\?\?|===|\/\/\/|<<<|%%|@|\*\[/y;
/** Admonitions, tabs and code groups, each in its generator's spelling. */
const CONTAINER_NAMES = anyOf(`
  note tip info warning danger caution important secondary success details code-group code-tabs
  tabs steps v-pre raw center left right card card-grid
`);
const CONTAINERS = new RegExp(
  String.raw`^:{3,}(?:[ \t]*|[ \t]?${CONTAINER_NAMES}` +
    String.raw`(?:\[[^\][{}<>]*\]|[ \t]+[^[\]{}<>|]*)?(?:\{(?:open|[.#][\w-]+)\})?[ \t]*)$`,
);
const ADMONITIONS = anyOf(`
  note abstract info tip success question warning failure danger bug example quote summary tldr
  todo hint important check done help faq caution attention fail missing error cite seealso
  deprecated version(?:added|changed) new
`);
const ADMONITION = new RegExp(
  String.raw`^(?:!!!|\?\?\?\+?) ?${ADMONITIONS}` +
    String.raw`(?: (?:inline|end|annotate))*(?: "(?:[^"<>{}\x60]|\x60[^"<>{}\x60]*\x60)*")?[ \t]*$`,
);
/** Blocks of pymdownx, and what may stand right below their first line. */
const BLOCKS = anyOf(`
  note tip info warning danger check admonition details caution attention example question quote
  success failure bug tab caption new deprecated
`);
const BLOCK = new RegExp(
  String.raw`^/{3,}(?:[ \t]*|[ \t]+${BLOCKS}(?:[ \t]*\|(?:[^<>{}\x60[\]"&]|\x60[^<>{}\x60"&]*\x60)*)?)$`,
);
const BLOCK_OPTIONS =
  /^(?:\r?\n[ \t]+(?:type: [a-z]+|(?:open|new|select): (?:[Tt]rue|[Ff]alse))[ \t]*)*$/;
const TAB = /^===[!+]? +"[^"<>{}]*"[ \t]*$|^=+[ \t]*$/;
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
  const [mark] = BEGINS.exec(text) ?? [];
  if (mark === undefined) return at;
  const line = text.slice(at, lineFrom(text, at)).replace(/\r$/, '');
  const stop = at + line.length;
  const [options = ''] = /^(?:\r?\n[ \t]+\S[^\n]*)*/.exec(text.slice(stop, stop + 2_000)) ?? [];
  const refuse = (rule: 'mdx-code' | 'markup', what: string): number => {
    report(at, {
      rule,
      key: `line ${squeeze(line)}`,
      what,
      instead: INSTEAD,
      hint: line.slice(0, 12),
    });
    return stop;
  };
  if (mark === ':::') return judgeContainer(line, options, at, reading, report);
  if (mark === '::') return /^::[a-z]/i.test(line) ? refuse('mdx-code', 'a directive') : at;
  if (mark.startsWith(':')) return judgeOption(line, at, reading, report);
  if (mark === '!!!' || mark === '???')
    return ADMONITION.test(line) ? stop : refuse('markup', 'an admonition that is not plain');
  if (mark === '===') return TAB.test(line) ? stop : refuse('markup', 'a tab that is not plain');
  if (mark === '%%') return judgeMark(text, at, report);
  if (mark === '///') {
    const isPlain = BLOCK.test(line) && BLOCK_OPTIONS.test(options);
    return isPlain ? stop : judgeMark(text, at, report);
  }
  if (mark === '<<<') return /^<<<</.test(line) ? at : judgeMark(text, at, report);
  if (mark === '@') return /^@(?:\[|include)/.test(line) ? judgeMark(text, at, report) : at;
  if (mark === '*[' && !isPlainMeaning(line, options))
    return refuse('markup', 'an abbreviation that is not plain text');
  return at;
}

const INSTEAD = 'Write the text itself, or use the spelling of the documentation.';

/** An admonition by colons, a directive of MyST, or a module that mkdocstrings describes. */
function judgeContainer(
  line: string,
  options: string,
  at: number,
  reading: PageReading,
  report: Report,
): number {
  const [head = '', name] = /^:{3,}[ \t]*\{([\w:.+-]+)\}/.exec(line) ?? [];
  if (name !== undefined) {
    const argument = line.slice(head.length);
    const item = directiveItem(name, argument, '');
    if (item) report(at, item);
    else judgeArgument(name, argument, at, reading, report);
    return at + head.length;
  }
  if (CONTAINERS.test(line)) return at + 3;
  // What is described is of the same package.
  const module = /^:::[ \t]+\w+(?=(?:\.\w+)+[ \t]*$)/.exec(line)?.[0] ?? line;
  report(at, {
    rule: 'mdx-code',
    key: `line ${squeeze(`${module} ${options}`)}`,
    what: 'a container that is not plain',
    instead: INSTEAD,
    hint: line.slice(0, 5),
  });
  return at + line.length;
}

function isPlainMeaning(line: string, more: string): boolean {
  const meaning = /^\*\[[^\]]*\]:(.*)$/.exec(line)?.[1];
  return meaning === undefined || (plainText(meaning) && !/["'<>]/.test(meaning) && more === '');
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

/** `figure` and `image` name a file; the argument of others is text. */
function judgeArgument(
  name: string,
  argument: string,
  at: number,
  { path }: PageReading,
  report: Report,
): void {
  judgeClassDirective(name, argument, { at, report });
  if (/^(?:figure|image)$/.test(name) && SAFE_DIRECTIVES.test(name))
    judgeAddress(argument, 'load', { at, what: 'an image', from: path }, report);
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
