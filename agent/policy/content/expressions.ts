import { Parser } from 'acorn';
import acornJsx from 'acorn-jsx';
import type { Expression } from 'estree';
import { isNestedDeeper } from '../../../sites/nesting.ts';
import { countWork } from './work.ts';

const JavaScript = Parser.extend(acornJsx());
/** `import.meta` and `await` count. */
const AS_MODULE = {
  ecmaVersion: 'latest',
  sourceType: 'module',
  allowAwaitOutsideFunction: true,
} as const;
/** The parser calls itself for each level. */
const DEEPEST = 200;
/** The parser takes as long for a character as a regular expression for so many. */
const DEARER = 10;
/** No expression that people write in a page is longer; each brace may make the parser read so far. */
const LONGEST = 20_000;

export type ReadExpression =
  | { kind: 'expression'; expression: Expression; end: number }
  /** Nothing, or a comment. */
  | { kind: 'empty'; end: number }
  /** No program: to a compiler an error, to anyone else text. */
  | { kind: 'none' }
  | { kind: 'too-long' };

/** What a compiler reads from the brace at `at` to the one that closes it. */
export function readExpression(text: string, at: number): ReadExpression {
  const source = text.slice(at + 1, at + 1 + LONGEST);
  const start = skipSpace(source, 0);
  if (isNestedDeeper(source, DEEPEST)) return { kind: 'too-long' };
  if (source.charAt(start) === '}') return { kind: 'empty', end: at + start + 2 };
  try {
    const expression = JavaScript.parseExpressionAt(source, start, AS_MODULE);
    countWork(DEARER * expression.end);
    const end = skipSpace(source, expression.end);
    if (source.charAt(end) === '}')
      return { kind: 'expression', expression: expression as Expression, end: at + end + 2 };
    return end >= LONGEST ? { kind: 'too-long' } : { kind: 'none' };
  } catch (error) {
    // Nested deeper than the parser goes: another one may go further.
    if (!(error instanceof SyntaxError)) return { kind: 'too-long' };
    const { pos = 0 } = error as { pos?: number };
    countWork(DEARER * pos);
    return pos >= LONGEST && text.length > at + LONGEST ? { kind: 'too-long' } : { kind: 'none' };
  }
}

/** Past white space and comments. */
function skipSpace(source: string, from: number): number {
  const space = /(?:\s+|\/\*[^]*?\*\/|\/\/[^\n]*\n)*/y;
  space.lastIndex = from;
  return from + (space.exec(source)?.[0].length ?? 0);
}

/** What begins at `at` with an import or export: a program, or its line. */
export function readStatements(
  text: string,
  at: number,
): { source: string; end: number; isProgram: boolean } {
  // A statement continues past an empty line only if it is not whole there.
  let end = at;
  for (let tries = 0; tries < 8; tries++) {
    const next = /\n[ \t\r]*\n/g;
    next.lastIndex = end + 1;
    const found = next.exec(text.slice(0, at + LONGEST));
    end = found ? found.index : Math.min(text.length, at + LONGEST);
    const source = text.slice(at, end);
    countWork(DEARER * source.length);
    if (isNestedDeeper(source, DEEPEST)) break;
    try {
      JavaScript.parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
      return { source, end, isProgram: true };
    } catch {
      if (!found) break;
    }
  }
  const line = text.indexOf('\n', at);
  const stop = line < 0 ? text.length : line;
  return { source: text.slice(at, stop), end: stop, isProgram: false };
}
