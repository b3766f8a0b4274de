import { judgeAddress } from './judge-address.ts';
import { extentOf, lineFrom, lineUpTo, matchAt, paragraphEnd } from './extent.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { SAFE_ROLES } from './safe-list.ts';
import { judgeClasses } from './tags.ts';
import { judgeMark, judgeTemplate } from './templates.ts';

const BRACES: readonly RegExp[] = [
  /\{[ ]?:?[ ]?[#.][\w:./-]+(?:[ ]+[#.][\w:-]+)*[ ]?\}/y,
  /\{[ \t]*\}/y,
  /\{\/\*(?:(?!\*\/|\n[ \t]*\r?\n|:\/\/)[^{}<>`])*\*\/\}/y,
  /\{ ?["'][^"'\\<>{}`&]*["'] ?\}|\{-?\d[\d.,: -]*\}/y,
];
const ATTRIBUTES =
  /\{:?[ ]?(?:(?:[#.][\w-]+|(?:width|height|align|loading|target|rel|title|alt|lang|dir|start|id|class|markdown|data-preview|data-title|data-description|data-search-exclude|data-gallery)(?:=(?:"[^"<>{}`&\\\n]*"|'[^'<>{}`&\\\n]*'|[\w%.-]+))?)[ ]*)+\}/y;
const WORDS = /\{[\w ,|$-]+\}/y;
/** No program, no attribute, no role: text to a generator that knows those only. */
const TEXT_IN_BRACES = /\{(?![{%#<!@/(=]|\.\.\.)[^{}=<>`\n]*\}(?!`)/y;
const ROLE = /\{([\w:.+-]{1,60})\}(?=`)/y;
const RUNS = /^(?:eval|exec|raw|include|glue)/i;

/** Judges what begins with a brace; returns where to continue. */
export function judgeBrace(text: string, at: number, reading: PageReading, report: Report): number {
  const { mdx, mayBeMdx } = reading;
  if (/^\{[{%#!]/.test(text.slice(at, at + 2)) && !matchAt(text, BRACES[0] ?? /$/y, at))
    return judgeTemplate(text, at, report);
  if (text.startsWith('{@include', at)) return judgeMark(text, at, report);
  const role = matchAt(text, ROLE, at);
  if (role) return judgeRole(text, at, role, reading, report);
  const forms = [
    ...BRACES,
    ATTRIBUTES,
    ...(mdx ? [] : [WORDS]),
    ...(mayBeMdx ? [] : [TEXT_IN_BRACES]),
  ];
  for (const form of forms) {
    const found = matchAt(text, form, at);
    if (!found) continue;
    if (form === BRACES[0] || form === ATTRIBUTES || form === TEXT_IN_BRACES)
      judgeClasses(classesOf(found[0]), { at, report });
    return at + found[0].length;
  }
  const end = extentOf(text, at);
  const isWords = end !== undefined && !/[=<`]|\{[{%#]/.test(text.slice(at, end));
  if (isWords && !mayBeMdx) return at + 1;
  const isOver = end === undefined || (!mdx && end > paragraphEnd(text, at));
  const lineEnd = text.indexOf('\n', at);
  if (isOver && !mayBeMdx && !text.slice(at, lineEnd < 0 ? undefined : lineEnd).includes('='))
    return at + 1;
  const stop = isOver ? Math.max(lineFrom(text, at), at + 1) : end;
  const source = text.slice(at, stop);
  const isHandler = /[\s{:"'.]on[a-z]+\s*=|(?:href|src)\s*=\s*["']?\w*script|script\s*:/i.test(
    source,
  );
  const isRaw = /^\{=[\w+-]+\}/.test(source);
  const lead = isRaw ? lineUpTo(text, at) : '';
  report(at, {
    rule: isHandler ? 'script' : isRaw ? 'markup' : 'mdx-code',
    key: `{${squeeze(lead + source)}}`,
    what: isHandler || /^\{:/.test(source) ? 'attributes in braces' : 'an expression in braces',
    instead: 'Put it in a code span, or write \\{ for the brace.',
    hint: source.slice(0, 12),
  });
  return stop;
}

/** The classes that a list of attributes sets, with spaces between them. */
function classesOf(list: string): string {
  const [, inner = ''] = /^\{\s*:?([^]*)\}$/.exec(list) ?? [];
  const named = [...inner.matchAll(/\bclass=(?:"([^"]*)"|'([^']*)'|([\w-]+))/g)];
  const words = inner.replace(/=(?:"[^"]*"|'[^']*')/g, '=').split(/\s+/);
  return [
    ...words.filter(word => /^\.[a-z]/i.test(word)),
    ...named.map(([, double, single, bare]) => double ?? single ?? bare ?? ''),
  ]
    .join(' ')
    .replaceAll('.', ' ');
}

function judgeRole(
  text: string,
  at: number,
  [source, name = '']: RegExpExecArray,
  reading: PageReading,
  report: Report,
): number {
  const close = text.indexOf('`', at + source.length + 1);
  const content = close < 0 ? '' : text.slice(at + source.length + 1, close);
  const exact = RUNS.test(name) ? ` ${squeeze(content)}` : '';
  const address = /<([^<>]*)>\s*$/.exec(content)?.[1] ?? (name === 'download' ? content : '');
  const isAddress = name === 'download' || /[:\\%&]|^\.\.?\//.test(address);
  if (!SAFE_ROLES.test(name))
    report(at, {
      rule: 'mdx-code',
      key: `role ${name}${exact}`,
      what: `the role {${name}}, which no other page of the site uses`,
      instead: 'Write the text itself.',
      hint: `{${name}}`,
    });
  else if (isAddress && address !== '' && !/^[\w-]+:/.test(address))
    judgeAddress(address, 'load', { at, what: 'a file', from: reading.path }, report);
  else if (/script\s*:|^data:/i.test(address))
    judgeAddress(address, 'link', { at, what: 'a link', from: reading.path }, report);
  return at + source.length;
}
