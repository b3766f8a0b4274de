import { addressItem, judgeAddress } from './addresses.ts';
import { judgeFormula } from './formulas.ts';
import { type Report, squeeze } from './item.ts';
import { judgeSchemes } from './links.ts';
import { anyOf } from './names.ts';
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
const LITERAL = /(?:^|[^:\\]):: *$/;
/** Begins a list item, a field, a line of a block: text below it may be its content. */
const NESTED = /^ *(?:[^\p{L}\p{N}\s"'(`]|\(?(?:\w{1,9}|#)[.)] |::$)/u;

/** Judges a page of reStructuredText line by line; literal blocks are passed over. */
export function judgeRst(text: string, path: string, report: Report): void {
  new RstReader(text, path, report).read();
}

class RstReader {
  readonly #lines: { text: string; at: number }[] = [];
  readonly #path: string;
  readonly #report: Report;
  /** Deeper than this, lines are code; or the content of a directive of this name. */
  #code = -1;
  #inside = { name: '', indent: -1 };

  constructor(text: string, path: string, report: Report) {
    this.#path = path;
    this.#report = report;
    let at = 0;
    for (const raw of text.split('\n')) {
      this.#lines.push({ text: raw.replace(/\r$/, '').replace(/\t/g, '        '), at });
      at += raw.length + 1;
    }
  }

  read(): void {
    for (const [index, { text }] of this.#lines.entries()) {
      const indent = indentOf(text);
      if (indent < 0) continue;
      if (this.#code >= 0 && indent <= this.#code) this.#code = -1;
      if (indent <= this.#inside.indent) this.#inside = { name: '', indent: -1 };
      const isOption = /^ *:[\w-]+:(?: |$)/.test(text);
      if (this.#code >= 0 && !(isOption && this.#inside.name !== '')) continue;
      this.#line(index, text);
      const name = DIRECTIVE.exec(text)?.[1];
      if (name !== undefined) this.#inside = { name, indent };
      // Readers agree on a literal block below a plain paragraph, behind an empty line.
      const isLiteral =
        LITERAL.test(text) &&
        name === undefined &&
        !this.#isNested(index, indent) &&
        indentOf(this.#next(index)) < 0;
      if (isLiteral || (name !== undefined && CODE.test(name))) this.#code = indent;
    }
  }

  #next(index: number): string {
    return this.#lines[index + 1]?.text ?? '';
  }

  /** Whether the paragraph of a line begins as no plain paragraph does. */
  #isNested(index: number, indent: number): boolean {
    let first = index;
    while (first > 0 && indentOf(this.#lines[first - 1]?.text ?? '') >= 0) first -= 1;
    const text = this.#lines[first]?.text ?? '';
    const isAlone = first === index && /^ *::\s*$/.test(text);
    return (
      !isAlone &&
      (NESTED.test(text) ||
        indentOf(text) !== indent ||
        /^ *::\s*$/.test(this.#lines[index]?.text ?? ''))
    );
  }

  /** The lines below one that are deeper than it. */
  #blockOf(index: number): string {
    const indent = indentOf(this.#lines[index]?.text ?? '');
    const isInside = (text: string) => indentOf(text) < 0 || indentOf(text) > indent;
    let end = index + 1;
    while (end < this.#lines.length && isInside(this.#next(end - 1))) end += 1;
    const block = this.#lines.slice(index + 1, end);
    return squeeze(block.map(({ text }) => text).join('\n'));
  }

  #line(index: number, line: string): void {
    const at = this.#lines[index]?.at ?? 0;
    const inside = this.#inside.name;
    const first = line.search(/\S/);
    for (const { index: dots } of line.matchAll(DOTS)) {
      const isFirst = dots === first;
      const isPlain = isFirst && (TARGET.test(line) || NOTE.test(line) || COMMENT.test(line));
      const name = isFirst ? DIRECTIVE.exec(line)?.[1] : undefined;
      if (name !== undefined) this.#directive(name, index);
      else if (!isPlain) this.#refuse(line, at, 'two dots, which may begin a directive', line);
    }
    const [, target] = TARGET.exec(line) ?? ANONYMOUS.exec(line) ?? [];
    const isTarget = target !== undefined || /^ *(?:\.\. _|__ )/.test(line);
    const isLonger = indentOf(this.#next(index)) > first;
    // An address may be the only word of the next line.
    const below = target === undefined && isLonger ? /^\S+$/.exec(this.#blockOf(index))?.[0] : '';
    const isOdd = isLonger && !below;
    if (isTarget && ((target === undefined && /^ *__ /.test(line)) || isOdd))
      this.#refuse(line, at, 'a target that is not in one word', line);
    const whole = target ?? (isTarget ? below : undefined);
    if (whole && !whole.endsWith('_')) this.#address(whole, 'link', 'a link', at);
    for (const [, address = ''] of line.matchAll(/<([^<>]*)>`_/g))
      if (!/_$|^[\w -]+$/.test(address)) this.#address(address, 'link', 'a link', at);
    const isOpen =
      /`[^`<>]*<[^>`]*$/.test(line.replace(/``.*?``/g, '')) || /^ *[^<>`]*>`_/.test(line);
    if (isOpen) this.#refuse(line, at, 'an address over two lines', line);
    this.#roles(line, at);
    this.#option(line, at, isLonger);
    if (inside === 'math') judgeFormula(line, at, this.#report);
    if (inside === 'toctree' && !/^ *:/.test(line))
      this.#address(/<([^<>]*)>$/.exec(line.trim())?.[1] ?? line.trim(), 'link', 'an entry', at);
    judgeSchemes(line, at, this.#report);
  }

  #directive(name: string, index: number): void {
    const { text, at } = this.#lines[index] ?? { text: '', at: 0 };
    const argument = DIRECTIVE.exec(text)?.[2] ?? '';
    if (/^(?:image|figure)$/.test(name)) {
      const isLonger = /^ +[^\s:]/.test(this.#next(index));
      if (argument === '' || isLonger || /\s/.test(argument))
        this.#refuse(text, at, 'an image whose path is not one word behind it', text);
      this.#address(argument, 'load', 'an image', at);
    }
    if (name === 'math') judgeFormula(argument, at, this.#report);
    judgeClassDirective(name, argument, { at, report: this.#report });
    if (SAFE_DIRECTIVES.test(name)) return;
    this.#refuse(
      this.#keyOf(name, argument, index),
      at,
      `the directive \`${name}\`, which no other page of the site uses`,
      `${name}::`,
    );
  }

  /** What a directive is known by: its name, or what it loads and runs. */
  #keyOf(name: string, argument: string, index: number): string {
    const text = this.#lines[index]?.text ?? '';
    if (name.startsWith('auto')) return `${name} ${/^[\w-]+(?=\.|$)/.exec(argument)?.[0] ?? text}`;
    const block = this.#blockOf(index);
    const shown = name === 'literalinclude' ? shownFile(argument, block) : undefined;
    if (shown !== undefined) return `${name} ${shown}`;
    // What it does is in its block, too.
    return RUNNING_DIRECTIVES.test(name) ? `${text} ${block}` : name;
  }

  #roles(line: string, at: number): void {
    for (const [, role = '', content = '', end] of line.matchAll(
      /:([A-Za-z][\w:.+-]*):`([^`]*)(`?)/g,
    ))
      this.#role(role, content, end === '`', at);
    for (const [, content = '', role = ''] of line.matchAll(/`([^`]*)`:([A-Za-z][\w:.+-]*):/g))
      this.#role(role, content, true, at);
  }

  #role(role: string, content: string, isWhole: boolean, at: number): void {
    const loads = /^(?:math|download)$/.test(role);
    if (!SAFE_ROLES.test(role) || (loads && !isWhole))
      this.#refuse(
        `role ${role}${/[<{\\]/.test(content) || loads ? ` ${content}` : ''}`,
        at,
        `the role \`${role}\``,
        role,
      );
    if (role === 'math') judgeFormula(content, at, this.#report);
    if (role !== 'download') return;
    const address = /<([^<>]*)>$/.exec(content)?.[1] ?? content;
    this.#address(address, 'load', 'a download', at);
  }

  #option(line: string, at: number, isLonger: boolean): void {
    const [, name = '', value = ''] =
      /^ *:(file|url|target|format|[\w-]*class[\w-]*|http-equiv[^:]*):(?: +(.*))?$/.exec(line) ??
      [];
    if (name.includes('class'))
      judgeClasses(isLonger ? `${value} <` : value, { at, report: this.#report });
    if (/^(?:file|url|format|http)/.test(name))
      this.#refuse(
        `${line}${isLonger ? ' and more' : ''}`,
        at,
        `an option \`${name}\`, which loads a file`,
        `:${name}`,
      );
    else if (name === 'target' && (isLonger || /\s/.test(value)))
      this.#refuse(line, at, 'a target that is not in one word', line);
    else if (name === 'target' && /[:/\\]/.test(value)) this.#address(value, 'link', 'a link', at);
  }

  /** Readers take the spaces out of an address. */
  #address(address: string, use: 'link' | 'load', what: string, at: number): void {
    const bare = address.replace(/\s+/g, '');
    if (bare !== address && addressItem(bare, use, this.#path))
      judgeAddress(bare, use, { at, what, from: this.#path }, this.#report);
    else judgeAddress(address, use, { at, what, from: this.#path }, this.#report);
  }

  #refuse(key: string, at: number, what: string, hint: string): void {
    this.#report(at, {
      rule: 'template',
      key: `directive ${squeeze(key)}`,
      what,
      instead: 'Write the text itself, or use a directive that other pages use.',
      hint: hint.trim().slice(0, 20),
    });
  }
}

const OPTIONS = anyOf(
  'language lines linenos start-after end-before emphasize-lines dedent caption pyobject name',
);
const SHOWN = new RegExp(String.raw`^(?::(?:${OPTIONS}|lineno\S*):[^:]*)*$`);

/** Folder and ending of a file that is shown as code, all of it or some lines. */
function shownFile(argument: string, block: string): string | undefined {
  const [, folder, ending] = /^((?:[\w-]+\/)+)[\w-]+(\.[a-z]+)$/.exec(argument) ?? [];
  return folder !== undefined && SHOWN.test(block) ? `${folder}*${ending}` : undefined;
}

function indentOf(text: string): number {
  return text.search(/\S/);
}
