import { judgeAddress } from './addresses.ts';
import { lineFrom } from './extent.ts';
import { SAFE_DIRECTIVES, directiveItem } from './fences.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { judgeMark } from './templates.ts';
import { plainText } from './plain-text.ts';

/** What may stand before the first word of a line: quotes, list marks, tasks, a table's bar. */
const PREFIX = /[ \t>|]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|\[[ xX]\][ \t]+|>[ \t]*)*/y;
const BEGINS = /:::|::|:[\w-]+:[ \t]|!!!|\?\?\?|===|\/\/\/|<<<|%%|@|\*?\[|\.\. /y;
/** Admonitions, tabs and code groups, each in its generator's spelling. */
const CONTAINERS =
  /^:{3,}(?:[ \t]*|[ \t]?(?:note|tip|info|warning|danger|caution|important|secondary|success|details|code-group|code-tabs|tabs|steps|v-pre|raw|center|left|right|card|card-grid)(?:\[[^\][{}<>]*\]|[ \t]+[^[\]{}<>|]*)?(?:\{(?:open|[.#][\w-]+)\})?[ \t]*)$/;
const ADMONITION =
  /^(?:!!!|\?\?\?\+?)(?: [a-z][\w-]*)+(?: "[^"<>{}`]*"| "`[^"<>{}`]*`[^"<>{}`]*")?[ \t]*$/;
const TAB = /^===[!+]? "[^"<>{}]*"[ \t]*$|^=+[ \t]*$/;
const DEFINITION = /^\[(?!\^)[^\]\n]*\]:[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))([^\n]*)$/;
const TITLE = /^[ \t]*(?:"[^"]*"|'[^']*'|\([^)]*\))?[ \t]*$/;
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
  const refuse = (rule: 'mdx-code' | 'markup', what: string, key = squeeze(line)): number => {
    const instead = 'Write the text itself, or use the spelling of the documentation.';
    report(at, { rule, key: `line ${key}`, what, instead, hint: line.slice(0, 12) });
    return stop;
  };
  if (mark === ':::') {
    const [, name] = /^:{3,}[ \t]*\{([\w:.+-]+)\}/.exec(line) ?? [];
    if (name === undefined)
      return CONTAINERS.test(line) ? at + 3 : refuse('mdx-code', 'a container that is not plain');
    const item = directiveItem(name, line.slice(line.indexOf('}') + 1), '');
    if (item) report(at, item);
    else judgeArgument(name, line.slice(line.indexOf('}') + 1), at, reading, report);
    return at + line.indexOf('}') + 1;
  }
  if (mark === '::') return /^::[a-z]/i.test(line) ? refuse('mdx-code', 'a directive') : at;
  if (mark.startsWith(':')) return judgeOption(line, at, reading, report);
  if (mark === '!!!' || mark === '???')
    return ADMONITION.test(line) ? stop : refuse('markup', 'an admonition that is not plain');
  if (mark === '===') return TAB.test(line) ? stop : refuse('markup', 'a tab that is not plain');
  if (mark === '///' || mark === '%%') return judgeMark(text, at, report);
  if (mark === '<<<') return /^<<<</.test(line) ? at : judgeMark(text, at, report);
  if (mark === '@') return /^@(?:\[|include)/.test(line) ? judgeMark(text, at, report) : at;
  if (mark === '*[') {
    const meaning = /^\*\[[^\]]*\]:(.*)$/.exec(line)?.[1];
    const isPlain = meaning === undefined || (plainText(meaning) && !/["'<>]/.test(meaning));
    return isPlain ? at : refuse('markup', 'an abbreviation that is not plain text');
  }
  return mark === '[' ? judgeDefinition(text, line, at, reading, report) : at;
}

function judgeOption(line: string, at: number, reading: PageReading, report: Report): number {
  const [, name = '', value = ''] = /^(:[\w-]+):[ \t]+(.*)$/.exec(line) ?? [];
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
  if (/^(?:figure|image)$/.test(name) && SAFE_DIRECTIVES.test(name))
    judgeAddress(argument, 'load', { at, what: 'an image', from: path }, report);
}

function judgeDefinition(
  text: string,
  line: string,
  at: number,
  { path }: PageReading,
  report: Report,
): number {
  if (!/^\[(?!\^)[^\]\n]*\]:/.test(line)) return at;
  const [, angled, bare, title = ''] = DEFINITION.exec(line) ?? [];
  const address = angled ?? bare;
  const next = text.slice(at + line.length, at + line.length + 200);
  const isWord = bare !== undefined && !/[/#.:]/.test(bare.slice(0, -1));
  if (isWord && !TITLE.test(title)) return at;
  if (address === undefined || (!TITLE.test(title) && !isWord)) {
    if (/^\[[^\]]*\]:[ \t]*$/.test(line) && /^\r?\n[ \t]*\r?(?:\n|$)|^\r?\n?$/.test(next))
      return at;
    report(at, {
      rule: 'markup',
      key: `definition ${squeeze(line)}`,
      what: 'the address of a link that is not plain',
      instead: 'Write `[name]: https://…` in one line.',
      hint: line.slice(0, 12),
    });
    return at;
  }
  judgeAddress(address, 'link', { at, what: 'a link', from: path }, report);
  return plainText(title, { generics: true }) ? at + line.length : at;
}
