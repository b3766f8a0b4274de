import type * as t from '@babel/types';
import type { StaticValue } from './static-value.ts';
import { placeOf, type Scope, unknown } from './syntax-node.ts';

/** Reads a node; operators read their operands with it. */
export type Evaluate = (node: t.Node, scope: Scope) => StaticValue;

/** A template whose parts are all known. */
export function templateValue(
  node: t.TemplateLiteral,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  const parts = node.expressions.map(one => evaluate(one, scope));
  if (parts.some(part => part.kind !== 'literal')) return unknown(node, scope, 'is computed');
  const value = node.quasis
    .map((quasi, index) => {
      const part = parts[index];
      const inserted = part?.kind === 'literal' ? String(part.value) : '';
      return `${quasi.value.cooked ?? ''}${inserted}`;
    })
    .join('');
  return { ...placeOf(node, scope), kind: 'literal', value };
}

/** Text put together, and comparisons of literals. */
export function binaryValue(
  node: t.BinaryExpression,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  const [left, right] = [evaluate(node.left, scope), evaluate(node.right, scope)];
  if (left.kind !== 'literal' || right.kind !== 'literal')
    return unknown(node, scope, 'is computed');
  const [a, b] = [left.value, right.value];
  const results: Record<string, string | boolean> = {
    '+': `${String(a)}${String(b)}`,
    '===': a === b,
    '==': a === b,
    '!==': a !== b,
    '!=': a !== b,
  };
  const value = results[node.operator];
  return value === undefined
    ? unknown(node, scope, 'is computed')
    : { ...placeOf(node, scope), kind: 'literal', value };
}

/** `||`, `&&` and `??`, if the left side is known. */
export function eitherValue(
  node: t.LogicalExpression,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  const left = evaluate(node.left, scope);
  if (left.kind === 'unknown') return unknown(node, scope, 'depends on a condition');
  const isNothing = left.kind === 'literal' && (left.value === undefined || left.value === null);
  const isTrue = left.kind !== 'literal' || Boolean(left.value);
  const takesRight = { '||': !isTrue, '&&': isTrue, '??': isNothing }[node.operator];
  return takesRight ? evaluate(node.right, scope) : left;
}

/** `test ? a : b`, if the test is known. */
export function conditionValue(
  node: t.ConditionalExpression,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  const test = evaluate(node.test, scope);
  if (test.kind === 'unknown') return unknown(node, scope, 'depends on a condition');
  const isTrue = test.kind !== 'literal' || Boolean(test.value);
  return evaluate(isTrue ? node.consequent : node.alternate, scope);
}

/** `!a` and `-a`. */
export function unaryValue(node: t.UnaryExpression, scope: Scope, evaluate: Evaluate): StaticValue {
  const value = evaluate(node.argument, scope);
  if (value.kind !== 'literal') return unknown(node, scope, 'is computed');
  if (node.operator === '!')
    return { ...placeOf(node, scope), kind: 'literal', value: !value.value };
  if (node.operator === '-')
    return { ...placeOf(node, scope), kind: 'literal', value: -Number(value.value) };
  return unknown(node, scope, 'is computed');
}
