import { judgeAddress } from './judge-address.ts';
import { judgeFormula } from './formulas.ts';
import { type ContentItem, type PageReading, type Report, squeeze } from './item.ts';
import { anyOf, named } from './names.ts';
import { plainText } from './plain-text.ts';
import { RUNNING_DIRECTIVES, SAFE_DIRECTIVES } from './safe-list.ts';
import { judgeClassDirective, judgeClasses } from './tags.ts';
import { judgeInCode } from './templates.ts';

/** Code blocks whose content is a page again, or a program that a build or a reader runs. */
const RUNS = named(
  `
  mdx-code-block live live-code exec eval execute run render preview playground marimo jsx-live
  html-live .*-(?:vue|live|exec) cmdrun admonish jupyter.* pyodide ojs webr
`,
  'i',
);
const CODE = /^(?:code|code-block|sourcecode|code-tab|productionlist|math|mermaid)$/;
/** Directives that a build or a reader runs, or that load a file: only the very same is known. */
const LOADING = anyOf(`
  code-cell raw include literalinclude eval-rst csv-table mermaid r python julia ojs sql jupyter
  exec eval plot ipython graphviz admonish
`);
const LOADS = new RegExp(`^${LOADING}`, 'i');
const OPTIONS = named(
  `
  title file filename name hl_lines linenums linenostart lines highlight theme icon label lang
  language mark ins del add remove focus collapse frame meta group twoslash wrap
  startLineNumber start caption path source open anchor_linenos linenos expandable
  showLineNumbers noCopy copy size height width tab sync npm2yarn no-copy annotate select
  no-select line-numbers console edition editable ignore no_run noplayground should_panic
  compile_fail does_not_compile noplaypen text diff emphasize-lines lineNumbers nocopy snippet
  test lint upgrade rewrite_assert requires dunder_name print_width output collapseStyle
  errors hidden skip collapsed lineanchors linkable hideheader base_url hl_Lines style_class
`,
  'i',
);
/** VitePress numbers lines by a word behind the language. */
const LANGUAGE = /^\.?[A-Za-z0-9][\w+#.*/-]*(?::(?:no-)?line-numbers(?:=\d+)?)?$/;
/** A language and options, each a word, a `key=value` with a plain value, or lines in braces. */
const VALUE = String.raw`"[^"<>\x60]*"?|'[^'<>\x60]*'|\{(?:"[^"<>{}\x60]*"|[\w\s,.:/'-])*\}|\[[\d\s"',-]*\]|[\w#.,:/+%&=-]+`;
const PARTS = [
  String.raw`\{[\d\s,.:-]*\}`,
  String.raw`[\p{L}\p{M}\w#.:+@/()[\]'’-]+"?(?:=(?:${VALUE}))?`,
  String.raw`"[^"<>\x60]*"|'[^'<>\x60]*'|\/[^/<>\x60]*\/`,
  String.raw`[|,&()–—!?'$~%*[\]-]+`,
];
const PART = new RegExp(`^(?:${PARTS.join('|')})$`, 'u');
const SPLIT =
  /(?:[\w.:+#@/-]+=)?(?:\{(?:"[^"{}]*"|[^}"]|"(?![^"{}]*"))*\}|"(?:[^"\\]|\\.)*"|'[^']*'|\/[^/\s][^/]*\/)|[^\s,{}]+/g;

/** A number of an option that the site has: the option is known by its name. */
const OTHER_OPTION = /^(@?[a-z][a-z_-]*)=(?:"[\d ,.:-]*"|\[[\d, -]*\]|[\d,.:-]+)$/;

/** Languages that a build or a browser draws. */
const DIAGRAMS = named(
  `
  mermaid kroki-.* plantuml puml uml c4.* structurizr.* dot graphviz d2 vega.* wavedrom bytefield
  nomnoml pikchr erd dbml markmap excalidraw bpmn
`,
  'i',
);
/** What in a diagram is more than shapes, text and arrows. */
const ACTIVE = new RegExp(
  [
    String.raw`^\s*!`,
    String.raw`^\s*---\s*$`,
    String.raw`%%\s*\{(?!init: ?\{(?![^%]*(?:css|font|html|secur|url))[\w\s'":,{}#.-]*\}\}%%)`,
    String.raw`%\w+\(`,
    String.raw`(?<!<)<(?!br\s*/?>|-|/?(?:[bius]|em|strong|strike|sub|sup)>|[|<\s=\d]|\|)`,
    String.raw`<<(?!\w+>>)`,
    String.raw`#\w+;`,
    String.raw`@\{(?![ ]*(?:shape|label|animate|animation)\b[\w\s:,"'.()-]*\})`,
    String.raw`@\.{0,2}/`,
    String.raw`\bscript\s*:|\b(?:file|data)\s*:\s*[\w"']*[/\\]`,
    String.raw`\b(?:image|shapefile|URL|\w*href|\w+path|stylesheet)\s*=`,
    String.raw`(?:^|;)\s*(?:click|links?|href|callback|properties|details)\b`,
    String.raw`["']?(?:url|href|img)["']?\s*:`,
  ].join('|'),
  'im',
);

type Item = Omit<ContentItem, 'line'>;

/** Judges an opening fence and its content. True if the content is text of the page again. */
export function judgeFence(
  info: string,
  content: string,
  { at, from }: { at: number; from: number },
  reading: PageReading,
  report: Report,
): boolean {
  const [, name, argument = ''] = /^\s*\{([A-Za-z][^}\s=]*)\}(.*)$/.exec(info) ?? [];
  if (name !== undefined) return directive(name, argument, content, { at, from }, reading, report);
  const bare = info.trim();
  // Python-Markdown's spelling: `{ .python title="x" }`.
  const inner = /^(?:[\w+#.-]+ )?\{(.*)\}$/.exec(bare)?.[1];
  const words = inner !== undefined && /^\s*\.|=/.test(inner) ? inner : bare;
  for (const [, file = ''] of words.matchAll(
    /\b(?:file|src|source|snippet|path)=["']?([^\s"']*[/.][^\s"']*)/g,
  ))
    judgeAddress(file, 'load', { at, what: 'a file', from: reading.path }, report);
  for (const word of wordsOf(words))
    if (RUNS.test(word)) report(at, fenceItem(`${word} ${squeeze(`${info}\n${content}`)}`, word));
  const odd = (words.match(SPLIT) ?? []).filter((part, i) => !isPlainPart(part, i, words));
  const others = odd.filter(part => OTHER_OPTION.test(part));
  for (const part of others) report(at, fenceItem(`option ${part.replace(/=.*/, '')}`, part));
  const bad = odd.find(part => !others.includes(part));
  // The first is the language; the others are classes, and an id is a place that scripts look for.
  if (words !== bare || bare.startsWith('.'))
    for (const [, mark, word = ''] of words.matchAll(/(?:^|\s)([.#])([\w-]+)(?=\s|$)/g))
      if (mark === '#') report(at, fenceItem(`id ${word}`, word));
      else if (!words.trimStart().startsWith(`.${word}`)) judgeClasses(word, { at, report });
  if (/^\{\s*[=a-z]/i.test(bare) || bad !== undefined || /[<>`\\]|\{\{/.test(words)) {
    const word = bad ?? bare;
    const isHandler = /on[a-z]+\s*=|script\s*:/i.test(word);
    report(at, {
      ...fenceItem(isHandler || /=/.test(word) ? squeeze(`${info}\n${content}`) : word, word),
      ...(isHandler && { rule: 'script' }),
    });
  }
  judgeCode(/^[\s{.]*([\w-]*)/.exec(info)?.[1] ?? '', content, { at, from }, reading, report);
  return false;
}

/** MyST's other spelling of options, written as the first; only plain values have one. */
export function withPlainOptions(content: string): string {
  const [block, lines = ''] =
    /^---\n((?:[a-z][\w-]*:(?: [\p{L}\p{N}"'./_-][^\n#&*!|>{}[\]`<\\]*)?\n)*)---\n/u.exec(
      content,
    ) ?? [];
  if (block === undefined) return content;
  return `\n${lines.trimEnd().replace(/^([\w-]+:)/gm, ':$1')}\n${content.slice(block.length)}`;
}

function withoutLastLine(content: string): string {
  return content.replace(/(^|\n)[^\n]*\n?$/, '$1');
}

function wordsOf(words: string): string[] {
  return words
    .replace(/"[^"]*"|'[^']*'/g, '')
    .split(/[\s{},]+/)
    .map(word => word.replace(/^\./, '').replace(/[=:].*$/, ''));
}

function isPlainPart(part: string, index: number, words: string): boolean {
  if (index === 0 && LANGUAGE.test(part)) return true;
  if (!PART.test(part)) return false;
  const [, key, value = ''] = /^([\w.:@-]+)=(.*)$/.exec(part) ?? [];
  if (key !== undefined) return OPTIONS.test(key) && plainText(value, { generics: true });
  // Words behind the language are a title to some.
  return index > 0 || /^[{[]/.test(part) || words.startsWith('"');
}

/** What runs, draws or links in a code block. */
function judgeCode(
  language: string,
  content: string,
  { at, from }: { at: number; from: number },
  reading: PageReading,
  report: Report,
): void {
  judgeInCode(content, from, reading.kinds, report);
  if (/^(?:math|latex|katex|tex)$/.test(language)) {
    if (/^math|katex/.test(language) || /\\href|script:/.test(content))
      judgeFormula(withoutLastLine(content), at, report);
  }
  const active = DIAGRAMS.test(language) ? ACTIVE.exec(content)?.[0] : undefined;
  if (active !== undefined)
    report(at, {
      rule: /^\s*!/.test(active) ? 'template' : 'script',
      key: `diagram ${squeeze(content)}`,
      what: `a diagram with \`${squeeze(active)}\`, which may link, load or run something`,
      instead: 'Draw shapes, text and arrows.',
      hint: active.trim(),
    });
}

function directive(
  name: string,
  argument: string,
  content: string,
  place: { at: number; from: number },
  reading: PageReading,
  report: Report,
): boolean {
  const { at } = place;
  const item = directiveItem(name, argument, content);
  if (item) report(at, item);
  judgeClassDirective(name, argument, { at, report });
  if (/^(?:figure|image)$/.test(name))
    judgeAddress(argument, 'load', { at, what: 'an image', from: reading.path }, report);
  if (name === 'toctree') judgeToctree(content, at, reading, report);
  if (!CODE.test(name)) return name !== 'toctree' && !/^(?:code-cell)$/.test(name);
  if (!plainText(argument, { generics: true })) report(at, fenceItem(argument, `{${name}}`));
  for (const [, key = '', value = ''] of content.matchAll(/^[ \t]*:([\w-]+):[ \t]*(.*)$/gm))
    if (!plainText(value) && /^(?:caption|name|class|label)$/.test(key))
      report(at, { ...fenceItem(`${key} ${value}`, `:${key}:`), rule: 'script' });
  judgeCode(name === 'mermaid' || name === 'math' ? name : '', content, place, reading, report);
  return false;
}

const STYLED = /^(?:code|code-block|sourcecode|mermaid)$/;

/** What of a directive is not plain: undefined for one of the list that loads nothing. */
export function directiveItem(name: string, argument: string, content: string): Item | undefined {
  const options = /^[ \t]*:?["']?(?:file|url)["']?[ \t]*:|^\?/m.test(
    content.slice(0, 2_000).split(/\n[ \t]*\n/, 1)[0] ?? '',
  );
  const isYaml = /^\s*---/.test(content);
  const isStyled = STYLED.test(name) && /^[ \t]*:?["']?(?:class|config)\b/m.test(content);
  const loads = isYaml || options || isStyled || (name === 'mermaid' && /\S/.test(argument));
  if (!loads && (SAFE_DIRECTIVES.test(name) || name === 'mermaid')) return undefined;
  const exact = loads || LOADS.test(name) || RUNNING_DIRECTIVES.test(name);
  return fenceItem(exact ? squeeze(`{${name}} ${argument} ${content}`) : `{${name}}`, `{${name}}`);
}

/** Each line names a page, with or without a title, or a web address. */
function judgeToctree(content: string, at: number, { path }: PageReading, report: Report): void {
  for (const line of content.split('\n')) {
    const text = line.trim();
    if (text === '' || /^(?::[\w-]+:|[`~:]{3,}$)/.test(text)) continue;
    const address = /<([^<>]*)>$/.exec(text)?.[1] ?? text;
    judgeAddress(address, 'link', { at, what: 'an entry', from: path }, report);
  }
}

function fenceItem(key: string, word: string): Item {
  return {
    rule: 'mdx-code',
    key: `fence ${key}`,
    what: `a code block with \`${word}\`, which may run it or load a file`,
    instead: 'Name only the language behind the fence.',
    hint: word,
  };
}
