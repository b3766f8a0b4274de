import { posix } from 'node:path';
import { type PageReading, type Report, squeeze } from './item.ts';

export interface Range {
  start: number;
  end: number;
}

/** Within a paragraph, `import` is a word unless a program follows it. */
const PROGRAM =
  /^(?:import(?:\s*["'{*(/]|\s+[\w$]+\s*,|\s+[^\n]*\bfrom\s*["']|\s[^\n]*\/[*/])|export(?:\s*[{*]|\s+(?:default|const|let|var|function|async|class)\b|\s[^\n]*\/[*/]))/;
const BEGINS = /^(?:import|export)(?=[\s{*"'/])/gm;
const NAMES = String.raw`(?:[\w$]+|\{[\w$,\s]*\}|\* as [\w$]+)`;
const IMPORT = new RegExp(
  String.raw`import (?:${NAMES}(?:, ?${NAMES})?) from (["'])([^"'\n]+)\1;?[ \t]*(?:\r?\n|$)`,
  'y',
);

/** Components that a generator brings along, in the spelling of its documentation. */
const OF_GENERATOR =
  /^(?:@theme\/(?:Tabs|TabItem|Admonition|CodeBlock|DocCardList|TOCInline|Details)|@astrojs\/starlight\/components|nextra\/components)$/;
/** A page within another one. */
const PAGE = /^(?:\.\.?\/|\/|@site\/)[\w./-]+\.mdx?$/;
const COMPONENTS = /^import (?:([A-Z]\w*)|\{([\w\s,]+)\}) from /;

/**
 * Imports and exports in `[start, end)`: some generators compile `.md` as MDX too. A plain import is
 * known by its module, so that a moved page brings nothing new.
 */
export function judgeStatements(
  text: string,
  { start, end }: Range,
  judged: number,
  reading: PageReading,
  report: Report,
): Range[] {
  const ranges: Range[] = [];
  for (const match of text.slice(start, end).matchAll(BEGINS)) {
    const at = start + match.index;
    if (at > 0 && text.charAt(at - 1) !== '\n') continue;
    if (Math.max(judged, ranges.at(-1)?.end ?? 0) > at) continue;
    const before = text.slice(Math.max(0, at - 200), at);
    const isFirst =
      /(?:^|\n[ \t]*\r?\n|^\s*)$/.test(before) || (ranges.at(-1)?.end ?? judged) === at;
    if (!PROGRAM.test(text.slice(at, at + 500)) && !(isFirst && reading.mayBeMdx)) continue;
    ranges.push(judgeStatement(text, at, reading, report));
  }
  return ranges;
}

function judgeStatement(
  text: string,
  at: number,
  { path, imported }: PageReading,
  report: Report,
): Range {
  IMPORT.lastIndex = at;
  const [whole, , module = ''] = IMPORT.exec(text) ?? [];
  const blank = text.slice(at).search(/\n[ \t]*\r?\n/);
  const stop = Math.min(blank < 0 ? text.length : at + blank, at + 20_000);
  // What follows in the same paragraph is of the same program.
  const isAlone =
    whole !== undefined &&
    /^(?:$|[ \t]*\r?(?:\n|$)|import |export )/.test(
      text.slice(at + whole.length, at + whole.length + 200),
    );
  const end = isAlone ? at + whole.length : stop;
  const file = /^\.\.?\//.test(module) ? posix.join('/', posix.dirname(path), module) : module;
  const isImport = text.startsWith('import', at);
  const source = squeeze(text.slice(at, end));
  const [, one, several] = (isAlone && COMPONENTS.exec(source)) || [];
  const isPage = one !== undefined && PAGE.test(module) && !posix.normalize(file).includes('..');
  const isPlain = isPage || ((one ?? several) !== undefined && OF_GENERATOR.test(module));
  if (isPlain)
    for (const name of (one ?? several ?? '').match(/\b[A-Z]\w*\b/g) ?? []) imported.add(name);
  if (!isPlain || isPage)
    report(at, {
      rule: 'mdx-code',
      key: isAlone ? `import from ${file}` : source,
      what: isImport ? 'an import, which no page of the site has' : 'an export',
      instead: 'Leave it out, or put it in a code block to show it.',
      hint: isImport ? 'import' : source.slice(0, 20),
      // There must be such a page, which readers may see.
      ...(isPage && { target: file.replace(/^(?:@site)?\//, '/') }),
    });
  return { start: at, end };
}
