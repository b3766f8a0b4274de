import { judgeAddress } from './addresses.ts';
import { type Report, squeeze } from './item.ts';

/** Code blocks whose content is a page again, or a program that a build or a reader runs. */
const RUNS = new RegExp(
  '^(?:mdx-code-block|live|live-code|exec|eval|execute|run|render|preview|playground|marimo|' +
    'jsx-live|html-live)$',
  'i',
);
const SAFE_DIRECTIVES = new RegExp(
  '^(?:note|warning|tip|important|caution|danger|hint|seealso|attention|error|admonition|todo|' +
    'code-block|code|sourcecode|code-cell|math|figure|image|list-table|table|toctree|contents|' +
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

/**
 * Judges what follows an opening fence. Undefined, or true if its content is a page again and has
 * to be read as one.
 */
export function judgeFenceInfo(info: string, at: number, report: Report): boolean {
  const directive = /^\s*\{([^}]*)\}/.exec(info);
  const name = directive?.[1] ?? '';
  const isDirective = directive !== null && /^\w/.test(name);
  if (isDirective) {
    const word = /^[\w:.-]+/.exec(name)?.[0] ?? '';
    if (!SAFE_DIRECTIVES.test(word) || /[\s=]/.test(name)) reportFence(`{${name}}`, at, report);
  }
  const words = info
    .replace(/"[^"]*"|'[^']*'/g, '')
    .split(/[\s{},]+/)
    .map(word => word.replace(/^\./, ''));
  for (const word of words) if (RUNS.test(word)) reportFence(word, at, report);
  for (const [, key = '', double, single, bare] of info.matchAll(OPTION)) {
    if (!SAFE_OPTIONS.test(key)) reportFence(`${key}=`, at, report);
    const value = double ?? single ?? bare ?? '';
    if (/:/.test(value) && /script|data/i.test(value)) judgeAddress(value, at, 'a value', report);
  }
  return isDirective && !/^(?:code|code-block|code-cell|sourcecode|math|mermaid)\b/.test(name);
}

function reportFence(word: string, at: number, report: Report): void {
  report(at, {
    rule: 'mdx-code',
    key: `fence ${squeeze(word)}`,
    what: `a code block with \`${word}\`, which may run it`,
    instead: 'Name only the language behind the fence.',
    hint: word,
  });
}
