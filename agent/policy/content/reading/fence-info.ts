import { judgeAddress, judgeLinks } from '../addresses.ts';
import { type Report, squeeze } from '../item.ts';
import { countWork } from '../work.ts';

/** Code blocks whose content is a page again, or a program that a build or a reader runs. */
const RUNS = new RegExp(
  '^(?:mdx-code-block|live|live-code|exec|eval|execute|run|render|preview|playground|marimo|' +
    'jsx-live|html-live)$',
  'i',
);
const SAFE_DIRECTIVES = new RegExp(
  '^(?:note|warning|tip|important|caution|danger|hint|seealso|attention|error|admonition|todo|' +
    'code-block|code|sourcecode|math|figure|image|list-table|table|toctree|contents|' +
    'versionadded|versionchanged|deprecated|glossary|rubric|epigraph|topic|sidebar|dropdown|' +
    'tab-set|tab-item|grid|grid-item|grid-item-card|card|div|mermaid|csv-table|margin|index)$',
  'i',
);
/** `title="…"` and such. */
const OPTION = /(?:^|[\s{,])([\w:-]+)=(?:"([^"]*)"|'([^']*)'|\{[^}]*\}|([^\s}]*))/g;
const SAFE_OPTIONS = new RegExp(
  '^(?:title|file|filename|name|hl_lines|linenums|linenostart|lines|highlight|theme|icon|label|' +
    'lang|language|mark|ins|del|add|remove|focus|collapse|frame|meta|group|twoslash|wrap|id|class|' +
    'startLineNumber|start|caption|path|source|open|style|anchor_linenos|linenos|expandable|' +
    'showLineNumbers|noCopy|copy|size|height|width|tab|sync|npm2yarn|edition|editable)$',
  'i',
);

/** Directives that a build or a reader runs, or that load a file: only the very same is known. */
const LOADS =
  /^(?:code-cell|raw|include|literalinclude|eval-rst|csv-table|mermaid|r|python|julia|ojs|sql|jupyter|exec|eval|plot|ipython|graphviz)/i;
const FORMULA = /^\s*(?:\{math\}|(?:math|latex|katex|tex)\b)/i;

/**
 * Judges an opening fence and its content. True if the content is a page again and has to be read
 * as one.
 */
export function judgeFence(info: string, content: string, at: number, report: Report): boolean {
  const directive = /^\s*\{([^}]*)\}(.*)/.exec(info);
  const name = directive?.[1] ?? '';
  const isDirective = directive !== null && /^\w/.test(name);
  const whole = (word: string) => `${word} ${squeeze(`${info}\n${content}`)}`;
  countWork(content.length);
  if (/^\s*\{\s*=/.test(info)) reportFence(whole('raw'), info.trim(), at, report);
  if (isDirective) {
    const word = /^[\w:.-]+/.exec(name)?.[0] ?? '';
    const loads =
      /^[ \t]*:?(?:file|url)[ \t]*:/m.test(content) ||
      (/^mermaid/.test(word) && /\S/.test(directive[2] ?? ''));
    if (loads || !SAFE_DIRECTIVES.test(word) || /[\s=]/.test(name))
      reportFence(
        loads || LOADS.test(word) ? whole(`{${name}}`) : `{${name}}`,
        `{${name}}`,
        at,
        report,
      );
  }
  const words = info
    .replace(/"[^"]*"|'[^']*'/g, '')
    .split(/[\s{},]+/)
    .map(word => word.replace(/^\./, ''));
  for (const word of words) if (RUNS.test(word)) reportFence(whole(word), word, at, report);
  for (const [, key = '', double, single, bare] of info.matchAll(OPTION)) {
    if (!SAFE_OPTIONS.test(key)) reportFence(whole(`${key}=`), `${key}=`, at, report);
    const value = double ?? single ?? bare ?? '';
    if (/:/.test(value) && /script|data/i.test(value)) judgeAddress(value, at, 'a value', report);
  }
  if (FORMULA.test(info)) judgeLinks(content, at, report);
  judgeDiagram(info, content, at, report);
  return isDirective && !/^(?:code|code-block|code-cell|sourcecode|math|mermaid)\b/.test(name);
}

/** PlantUML reads files where it draws. */
function judgeDiagram(info: string, content: string, at: number, report: Report): void {
  const [include] = /^[ \t]*!(?:include|import)[^\n]*/m.exec(content) ?? [];
  if (include === undefined || !/^\s*\{?\.?(?:kroki-)?(?:plantuml|puml|uml|c4)/i.test(info)) return;
  report(at, {
    rule: 'template',
    key: `diagram ${squeeze(include)}`,
    what: 'a diagram that includes another file',
    instead: 'Write the diagram itself.',
    hint: include,
  });
}

/** Directives of MyST between colons, whose content is judged with the text around it. */
export function judgeColonFences(text: string, report: Report): void {
  for (const { index, 0: source, 1: name = '' } of text.matchAll(
    /^[ \t]*:{3,}[ \t]*\{([\w:.+-]{1,100})\}[^\n]{0,500}/gm,
  ))
    if (!SAFE_DIRECTIVES.test(name)) reportFence(squeeze(source), `{${name}}`, index, report);
}

function reportFence(key: string, word: string, at: number, report: Report): void {
  report(at, {
    rule: 'mdx-code',
    key: `fence ${key}`,
    what: `a code block with \`${word}\`, which may run it or load a file`,
    instead: 'Name only the language behind the fence.',
    hint: word,
  });
}
