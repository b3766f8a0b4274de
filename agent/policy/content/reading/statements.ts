import { posix } from 'node:path';
import { readStatements } from '../expressions.ts';
import { type Report, squeeze } from '../item.ts';
import type { Range } from './scan-text.ts';
import { countWork } from '../work.ts';

/** How an import or export of a module begins, at the start of a line. */
const ESM = new RegExp(
  [
    String.raw`^import\s{0,100}(?:["'{*]|[\w$]+(?:\s{0,100},[^;\n]{0,1000}?)?\s{1,100}from\s{0,100}["']|defer\b|type\s)`,
    String.raw`^export\s+(?:default|const|let|var|function|async|class|\*|\{)`,
  ].join('|'),
  'y',
);
/** What could begin one in another spelling, with a comment in it or a name in any alphabet. */
const CANDIDATE = /^(?:import|export)(?=[\s{*"'/])/gm;

/**
 * Imports and exports in `[start, end)`: some generators compile `.md` as MDX too. An import from
 * a module that pages of the site import is known by its module, so that a moved page brings
 * nothing new.
 */
export function judgeStatements(
  text: string,
  { start, end }: { start: number; end: number },
  path: string,
  report: Report,
): Range[] {
  const ranges: Range[] = [];
  const part = text.slice(start, end);
  for (const match of part.matchAll(CANDIDATE)) {
    const at = start + match.index;
    ESM.lastIndex = match.index;
    const isPlain = ESM.test(part);
    // What begins within statements that were read ends where they do.
    const last = ranges.at(-1);
    const {
      source,
      end: stop,
      isProgram,
    } = last && at < last.end
      ? { source: text.slice(at, last.end), end: last.end, isProgram: true }
      : readStatements(text, at);
    if (!isPlain && !isProgram) continue;
    ranges.push({ start: at, end: stop });
    const isImport = source.startsWith('import');
    report(at, {
      rule: 'mdx-code',
      key: isImport ? keyOfImports(source, path) : `export ${squeeze(source)}`,
      what: isImport ? 'an import, which no page of the site has' : 'an export',
      instead: 'Leave it out, or put it in a code block to show it.',
      hint: isImport ? 'import' : source.slice(0, 20),
    });
  }
  return ranges;
}

/** The first statement's module; whole where it has none or takes it for its effects. */
function keyOfImports(source: string, path: string): string {
  const [, clause, , module] =
    /^import\s+([^"';]+?)\s+from\s*(["'])([^"'\n]+)\2/.exec(source) ?? [];
  const next = source.search(/\nimport\b/);
  const first = next < 0 ? source : source.slice(0, next);
  countWork(first.length);
  const only = /^[^;\n]*(?:\{[^}]*\}[^;\n]*)?;?\s*$/.exec(first);
  if (clause === undefined || module === undefined || !only) return `import ${squeeze(source)}`;
  const file = /^\.\.?\//.test(module) ? posix.join('/', posix.dirname(path), module) : module;
  return `import from ${file}`;
}
