import type { Expression } from 'estree';
import { isValue } from '../harmless.ts';
import { readExpression } from './expressions.ts';
import { type PageReading, type Report, squeeze } from './item.ts';
import { SAFE_ATTRIBUTES } from './safe-list.ts';

/** Judges what a compiler reads from the brace at `at`; returns where the expression ends. */
export function judgeExpression(
  text: string,
  at: number,
  { mdx }: PageReading,
  report: Report,
): number {
  const read = readExpression(text, at);
  if (read.kind === 'none' || read.kind === 'empty') return at;
  const end = read.kind === 'too-long' ? at : read.end;
  if (read.kind === 'expression') {
    if (isValue(read.expression) || (!mdx && isPlainInMarkdown(read.expression))) return end;
  }
  const source = read.kind === 'too-long' ? text.slice(at, at + 2_000) : text.slice(at, end);
  report(at, {
    rule: 'mdx-code',
    key: `{${squeeze(source)}}`,
    what: 'an expression in braces',
    instead: 'Put it in a code span, or write \\{ for the brace.',
    hint: source.slice(0, 12),
  });
  return end;
}

/** A word in braces, or `{width="300"}`, is text or an attribute to most, and does nothing anywhere. */
function isPlainInMarkdown(expression: Expression): boolean {
  if (expression.type === 'Identifier') return true;
  return (
    expression.type === 'AssignmentExpression' &&
    expression.left.type === 'Identifier' &&
    (SAFE_ATTRIBUTES.has(expression.left.name.toLowerCase()) ||
      expression.left.name.length === 1) &&
    isValue(expression.right)
  );
}
