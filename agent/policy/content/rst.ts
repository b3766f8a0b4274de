import { judgeAddress } from './addresses.ts';
import { judgeFormula } from './formulas.ts';
import { type Report, squeeze } from './item.ts';

const SAFE = new RegExp(
  '^(?:note|warning|tip|important|caution|danger|hint|seealso|attention|error|admonition|todo|' +
    'toctree|code-block|code|sourcecode|highlight|image|figure|list-table|table|contents|' +
    'versionadded|versionchanged|versionremoved|deprecated|deprecated-removed|rubric|glossary|index|' +
    'math|topic|sidebar|epigraph|container|class|rst-class|cssclass|centered|hlist|tab-set|tab-item|' +
    'tabs|tab|group-tab|code-tab|dropdown|grid|grid-item|grid-item-card|card|currentmodule|module|' +
    'default-domain|program|option|envvar|confval|only|replace|productionlist|line-block|compound|' +
    'pull-quote|highlights|footer|header|(?:py:)?(?:function|class|method|attribute|data|exception))$',
);
const CODE = /^(?:code-block|code|sourcecode|code-tab|productionlist)$/;
const ROLES =
  /^(?:doc|ref|numref|any|term|abbr|kbd|guilabel|menuselection|file|samp|command|program|option|envvar|py:\w+|c:\w+|cpp:\w+|js:\w+|rst:\w+|std:\w+|class|func|meth|mod|attr|exc|data|obj|const|math|eq|sub|sup|subscript|superscript|code|literal|emphasis|strong|pep|rfc|cite|issue|pr|user|ghuser|gh|commit|pypi|source|dfn|mimetype|token|keyword|confval|index|external[\w:+.-]*|download|title-reference|t)$/;
/** Two dots that begin a block of their own for some reader, wherever they stand in a line. */
const DOTS = /(?<![\w./`*])\.\.(?=\s|$)/g;
const DIRECTIVE = /^ *\.\. (?:\|[^|<>`]+\| )?([A-Za-z][\w:.+-]*?)::(?: +(.*))?$/;
const TARGET = /^ *\.\. __?(?:`[^`<>]*`|[^:`<>]*|(?:[^:`<>]|\\:|:(?! ))*):(?: +(\S+))? *$/;
const NOTE = /^ *\.\. \[[\w#*.-]+\] /;
const COMMENT = /^ *\.\.(?: (?!\S+::(?:\s|$))[^<>]*)?$/;

/** Judges a page of reStructuredText line by line; literal blocks are passed over. */
export function judgeRst(text: string, path: string, report: Report): void {
  let at = 0;
  /** Deeper than this, lines are code; or the content of a directive of this name. */
  let code = -1;
  let inside = { name: '', indent: -1 };
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '').replace(/\t/g, '        ');
    const indent = line.search(/\S/);
    const isBlank = indent < 0;
    if (!isBlank && code >= 0 && indent <= code) code = -1;
    if (!isBlank && inside.indent >= 0 && indent <= inside.indent)
      inside = { name: '', indent: -1 };
    const isOption = /^ *:[\w-]+:(?: |$)/.test(line);
    if (!isBlank && (code < 0 || (isOption && inside.name !== ''))) {
      judgeLine(line, at, inside.name, path, report);
      const name = DIRECTIVE.exec(line)?.[1];
      if (name !== undefined) inside = { name, indent };
      const isLiteral = /(?:^|[^:]):: *$/.test(line) && name === undefined && !/^ *\.\./.test(line);
      if (isLiteral || (name !== undefined && CODE.test(name))) code = indent;
    }
    at += raw.length + 1;
  }
}

function judgeLine(line: string, at: number, inside: string, path: string, report: Report): void {
  const link = { at, what: 'a link', from: path };
  const first = line.search(/\S/);
  for (const { index } of line.matchAll(DOTS)) {
    const isPlain = index === first && (TARGET.test(line) || NOTE.test(line) || COMMENT.test(line));
    const name = index === first ? DIRECTIVE.exec(line)?.[1] : undefined;
    if (name !== undefined) judgeDirective(name, line, at, path, report);
    else if (!isPlain) refuse(line, at, 'two dots, which may begin a directive', line, report);
  }
  const [, target] = TARGET.exec(line) ?? /^ *__ +(\S+)/.exec(line) ?? [];
  if (target !== undefined && !target.endsWith('_')) judgeAddress(target, 'link', link, report);
  for (const [, address = ''] of line.matchAll(/<([^<>]*)>`_/g))
    if (!/_$|^[\w -]+$/.test(address)) judgeAddress(address, 'link', link, report);
  const isOpen =
    /`[^`<>]*<[^>`]*$/.test(line.replace(/``.*?``/g, '')) || /^ *[^<>`]*>`_/.test(line);
  if (isOpen) refuse(line, at, 'an address over two lines', line, report);
  for (const [, role = '', content = ''] of line.matchAll(/:([A-Za-z][\w:.+-]*):`([^`]*)`?/g))
    judgeRole(role, content, at, path, report);
  judgeOption(line, at, path, report);
  if (inside === 'math') judgeFormula(line, at, report);
  if (inside === 'toctree' && !/^ *:/.test(line)) {
    const entry = /<([^<>]*)>$/.exec(line.trim())?.[1] ?? line.trim();
    judgeAddress(entry, 'link', { ...link, what: 'an entry' }, report);
  }
  const [scheme] =
    /\b(?:java|vb|live)script:(?=[^\s*_`"'”)])\S*/i.exec(line.replace(/\\/g, '')) ?? [];
  if (scheme !== undefined) judgeAddress(scheme, 'link', link, report);
}

function judgeDirective(
  name: string,
  line: string,
  at: number,
  path: string,
  report: Report,
): void {
  const argument = DIRECTIVE.exec(line)?.[2] ?? '';
  if (/^(?:image|figure)$/.test(name))
    judgeAddress(argument, 'load', { at, what: 'an image', from: path }, report);
  if (name === 'math') judgeFormula(argument, at, report);
  if (SAFE.test(name)) return;
  const runs =
    /raw|include|eval|exec|plot|ifconfig|jupyter|ipython|doctest|role|csv|meta|graphviz|auto|command/;
  const module = /^[\w-]+(?=\.|$)/.exec(argument)?.[0] ?? line;
  const key = name.startsWith('auto') ? `${name} ${module}` : runs.test(name) ? line : name;
  refuse(
    key,
    at,
    `the directive \`${name}\`, which no page of the site uses so`,
    `${name}::`,
    report,
  );
}

function judgeRole(role: string, content: string, at: number, path: string, report: Report): void {
  if (!ROLES.test(role)) refuse(`role ${role}`, at, `the role \`${role}\``, `:${role}:`, report);
  if (role === 'math') judgeFormula(content, at, report);
  if (role !== 'download') return;
  const address = /<([^<>]*)>$/.exec(content)?.[1] ?? content;
  judgeAddress(address, 'load', { at, what: 'a download', from: path }, report);
}

function judgeOption(line: string, at: number, path: string, report: Report): void {
  const [, name = '', value = ''] =
    /^ *:(file|url|target|format|class|http-equiv\S*): +(.*)$/.exec(line) ?? [];
  if (/^(?:file|url|format|http)/.test(name))
    refuse(line, at, `an option \`${name}\`, which loads a file`, `:${name}`, report);
  else if (name === 'target' && /[:/\\]/.test(value))
    judgeAddress(value, 'link', { at, what: 'a link', from: path }, report);
}

function refuse(key: string, at: number, what: string, hint: string, report: Report): void {
  report(at, {
    rule: 'template',
    key: `directive ${squeeze(key)}`,
    what,
    instead: 'Write the text itself, or use a directive that other pages use.',
    hint: hint.trim().slice(0, 20),
  });
}
