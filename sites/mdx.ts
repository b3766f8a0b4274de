import { Parser, type Options } from 'acorn';
import acornJsx from 'acorn-jsx';
import remarkMdx from 'remark-mdx';
import type { Processor } from 'unified';
import { isNestedDeeper } from './nesting.ts';

/** Of brackets: the parser calls itself for each. */
const DEEPEST = 200;
/** Characters of code that are parsed for one page, a second's worth or two. */
const MAX_CODE = 4_000_000;
/**
 * Each name and value is then looked up line by line: so many lines take as long as the parsing.
 */
const LINES_LIKE_PARSING = 100;

/**
 * Read by the MDX parser where it would take the error for one more piece of code that continues
 * after this brace.
 */
class TooMuchCode extends Error {
  readonly reason =
    'Too much code in one expression or between two empty lines: keep it in a file of its own.';
  get pos(): number {
    throw this;
  }
}

const JavaScript = Parser.extend(acornJsx());

/**
 * MDX for unified, after a parser. Expressions and imports are parsed from their beginning again at
 * each `}` and at each empty line in them, so 20 KB of braces would take half a minute, in which
 * the whole process is blocked. Throws an error with a `reason` instead.
 */
export function boundedMdx(this: Processor): void {
  let left = MAX_CODE;
  const spend = (characters: number): void => {
    if ((left -= characters) < 0) throw new TooMuchCode();
  };
  const bounded = <N>(code: string, parse: () => N): N => {
    if (isNestedDeeper(code, DEEPEST)) throw new TooMuchCode();
    spend(code.length);
    const node = parse();
    spend((code.length * code.split('\n').length) / LINES_LIKE_PARSING);
    return node;
  };
  remarkMdx.call(this, {
    acorn: {
      parse: (code: string, options: Options) =>
        bounded(code, () => JavaScript.parse(code, options)),
      parseExpressionAt: (code: string, at: number, options: Options) =>
        bounded(code, () => JavaScript.parseExpressionAt(code, at, options)),
    },
  });
  const { parser } = this;
  if (!parser) throw new Error('boundedMdx comes after a parser');
  this.parser = (...page) => {
    left = MAX_CODE;
    return parser(...page);
  };
}
