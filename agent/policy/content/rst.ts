import { addressItem, type Use } from './addresses.ts';
import { judgeAddress } from './judge-address.ts';
import { judgeFormula } from './formulas.ts';
import { type Report, squeeze } from './item.ts';
import { judgeSchemes } from './links.ts';
import { RUNNING_DIRECTIVES, SAFE_DIRECTIVES, SAFE_ROLES } from './safe-list.ts';
import { judgeClassDirective, judgeClasses } from './tags.ts';

const CODE = /^(?:code-block|code|sourcecode|code-tab|productionlist)$/;
/** Two dots that begin a block of their own for some reader, wherever they stand in a line. */
const DOTS = /(?<![\w./`*])\.\.(?=\s|$)/g;
/** The one spelling of each; of a comment, words that could be nothing else. */
const DIRECTIVE = /^ *\.\. (?:\|[^|<>`]+\| )?([A-Za-z][\w:.+-]*?)::(?: +(\S.*?))? *$/;
const TARGET = /^ *\.\. _(?:`[^`<>]*`|[^:`<>_\s](?:[^:`<>]|\\:|:(?! ))*|_):(?: +(\S+))? *$/;
const ANONYMOUS = /^ *__ +(\S+) *$/;
const NOTE = /^ *\.\. \[[\w#*.-]+\](?: |$)/;
const COMMENT = /^ *\.\.(?: +[^\s[_|](?:(?!::|: :).)*)?$/;
const ROLE = /:([A-Za-z][\w:.+-]*):`([^`]*)(`?)|`([^`]*)`:([A-Za-z][\w:.+-]*):/g;
const OPTION = /^ *:(file|url|target|format|[\w-]*class[\w-]*|http-equiv[^:]*):(?: +(.*))?$/;

/** Judges a page of reStructuredText line by line; the content of code blocks is passed over. */
export function judgeRst(text: string, path: string, report: Report): void {
  const lines = text.split('\n').map(raw => raw.replace(/\r$/, '').replace(/\t/g, ' '.repeat(8)));
  const offsets: number[] = [];
  text.split('\n').reduce((at, raw) => (offsets.push(at), at + raw.length + 1), 0);
  /** Deeper than this, lines are the content of a directive of this name. */
  let inside = { name: '', indent: Infinity };
  for (const [index, line] of lines.entries()) {
    const indent = indentOf(line);
    if (indent < 0) continue;
    if (indent <= inside.indent) inside = { name: '', indent: Infinity };
    if (CODE.test(inside.name) && !/^ *:[\w-]+:(?: |$)/.test(line)) continue;
    const isLonger = indentOf(lines[index + 1] ?? '') > indent;
    const below = () => blockBelow(lines, index);
    judgeLine({ line, below, isLonger, at: offsets[index] ?? 0, path, report }, inside.name);
    const name = DIRECTIVE.exec(line)?.[1];
    if (name !== undefined) inside = { name, indent };
  }
}

/** A line, and what is deeper below it. */
interface Here {
  line: string;
  below: () => string;
  isLonger: boolean;
  at: number;
  path: string;
  report: Report;
}

function judgeLine(here: Here, inside: string): void {
  const { line, at, report } = here;
  for (const { index } of line.matchAll(DOTS)) {
    const isFirst = index === indentOf(line);
    if (isFirst && DIRECTIVE.test(line)) judgeDirective(here);
    else if (!isFirst || !(TARGET.test(line) || NOTE.test(line) || COMMENT.test(line)))
      refuse(here, line, 'two dots, which may begin a directive');
  }
  judgeTarget(here);
  for (const [, address = ''] of line.matchAll(/<([^<>]*)>`_/g))
    if (!/_$|^[\w -]+$/.test(address)) judgeLink(here, address);
  if (/`[^`<>]*<[^>`]*$/.test(line.replace(/``.*?``/g, '')) || /^ *[^<>`]*>`_/.test(line))
    refuse(here, line, 'an address over two lines');
  for (const [, role = '', text, end, content, behind = ''] of line.matchAll(ROLE))
    judgeRole(here, role || behind, text ?? content ?? '', end !== '');
  judgeOption(here);
  if (inside === 'math') judgeFormula(line, at, report);
  if (inside === 'toctree' && !/^ *:/.test(line))
    judgeLink(here, /<([^<>]*)>$/.exec(line.trim())?.[1] ?? line.trim(), 'an entry');
  judgeSchemes(line, at, report);
}

/** An address may be the only word of the next line. */
function judgeTarget(here: Here): void {
  const { line, isLonger } = here;
  const [, target] = TARGET.exec(line) ?? ANONYMOUS.exec(line) ?? [];
  if (target === undefined && !/^ *(?:\.\. _|__ )/.test(line)) return;
  const below = isLonger ? here.below() : '';
  const address = target ?? (/^\S+$/.test(below) ? below : undefined);
  const isOdd = isLonger && (target !== undefined || address === undefined);
  if (isOdd || (address === undefined && /^ *__ /.test(line)))
    refuse(here, line, 'a target that is not in one word');
  if (address !== undefined && !address.endsWith('_')) judgeLink(here, address);
}

function judgeDirective(here: Here): void {
  const { line, at, report } = here;
  const [, name = '', argument = ''] = DIRECTIVE.exec(line) ?? [];
  if (/^(?:image|figure)$/.test(name)) {
    if (!/^\S+$/.test(argument) || (here.isLonger && /^[^:]/.test(here.below())))
      refuse(here, line, 'an image whose path is not one word behind it');
    judgeLink(here, argument, 'an image', 'load');
  }
  if (name === 'math') judgeFormula(argument, at, report);
  judgeClassDirective(name, argument, { at, report });
  if (SAFE_DIRECTIVES.test(name)) return;
  // What is described is of the same package; what it does is in its block, too.
  const known = name.startsWith('auto')
    ? `${name} ${/^[\w-]+(?=\.|$)/.exec(argument)?.[0] ?? line}`
    : RUNNING_DIRECTIVES.test(name) || name === 'literalinclude'
      ? `${name} ${argument} ${here.below()}`
      : name;
  refuse(here, known, `the directive \`${name}\`, which no page of the site uses so`, `${name}::`);
}

function judgeRole(here: Here, role: string, content: string, isWhole: boolean): void {
  const loads = /^(?:math|download)$/.test(role);
  if (!SAFE_ROLES.test(role) || (loads && !isWhole)) {
    const more = /[<{\\]/.test(content) || loads ? ` ${content}` : '';
    refuse(here, `role ${role}${more}`, `the role \`${role}\``, role);
  }
  if (role === 'math') judgeFormula(content, here.at, here.report);
  if (role === 'download')
    judgeLink(here, /<([^<>]*)>$/.exec(content)?.[1] ?? content, 'a download', 'load');
}

function judgeOption(here: Here): void {
  const { line, isLonger, at, report } = here;
  const [, name = '', value = ''] = OPTION.exec(line) ?? [];
  if (name.includes('class')) judgeClasses(isLonger ? `${value} <` : value, { at, report });
  if (/^(?:file|url|format|http)/.test(name))
    refuse(
      here,
      `${line}${isLonger ? ' and more' : ''}`,
      `an option \`${name}\`, which loads a file`,
    );
  else if (name === 'target' && (isLonger || /\s/.test(value)))
    refuse(here, line, 'a target that is not in one word');
  else if (name === 'target' && /[:/\\]/.test(value)) judgeLink(here, value);
}

/** Readers take the spaces out of an address. */
function judgeLink(here: Here, address: string, what = 'a link', use: Use = 'link'): void {
  const { at, path, report } = here;
  const bare = address.replace(/\s+/g, '');
  const read = addressItem(bare, use, path) ? bare : address;
  judgeAddress(read, use, { at, what, from: path }, report);
}

function refuse({ at, line, report }: Here, key: string, what: string, hint = line): void {
  report(at, {
    rule: 'template',
    key: `directive ${squeeze(key)}`,
    what,
    instead: 'Write the text itself, or use a directive that other pages use.',
    hint: hint.trim().slice(0, 20),
  });
}

function blockBelow(lines: readonly string[], index: number): string {
  const indent = indentOf(lines[index] ?? '');
  let end = index + 1;
  while (
    end < lines.length &&
    (indentOf(lines[end] ?? '') < 0 || indentOf(lines[end] ?? '') > indent)
  )
    end += 1;
  return squeeze(lines.slice(index + 1, end).join('\n'));
}

function indentOf(text: string): number {
  return text.search(/\S/);
}
