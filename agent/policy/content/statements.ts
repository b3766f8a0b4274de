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

/**
 * Imports and exports in `[start, end)`: some generators compile `.md` as MDX too. A plain import is
 * known by its module, so that a moved page brings nothing new.
 */
export function judgeStatements(
  text: string,
  { start, end }: Range,
  judged: number,
  { path, mayBeMdx }: PageReading,
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
    if (!PROGRAM.test(text.slice(at, at + 500)) && !(isFirst && mayBeMdx)) continue;
    ranges.push(judgeStatement(text, at, path, report));
  }
  return ranges;
}

function judgeStatement(text: string, at: number, path: string, report: Report): Range {
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
  report(at, {
    rule: 'mdx-code',
    key: isAlone ? `import from ${file}` : source,
    what: isImport ? 'an import, which no page of the site has' : 'an export',
    instead: 'Leave it out, or put it in a code block to show it.',
    hint: isImport ? 'import' : source.slice(0, 20),
  });
  return { start: at, end };
}
