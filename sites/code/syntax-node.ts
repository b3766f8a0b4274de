import type * as t from '@babel/types';
import type { Module } from './parse-module.ts';
import type { StaticValue, Written } from './static-value.ts';

/** Where a node is read: its module, and the values of names within a function. */
export interface Scope {
  module: Module;
  /** Parameters of the function that is being read. */
  names: ReadonlyMap<string, StaticValue>;
}

export type FunctionNode = t.FunctionDeclaration | t.FunctionExpression | t.ArrowFunctionExpression;

/** `process.env`. */
export function isEnvironment(node: t.Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'process' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'env'
  );
}

export function isFunction(node: t.Node): node is FunctionNode {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

/** `resolve` for `require.resolve(…)`. */
export function calledName(callee: t.Node): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : '';
}

export function nodeName(node: t.Node): string {
  return node.type === 'Identifier' ? `${node.name}()` : 'a function call';
}

/** The name of a member that is written out; undefined if it is computed. */
export function keyOf(property: t.ObjectProperty | t.ObjectMethod): string | undefined {
  const { key } = property;
  if (property.computed) return undefined;
  if (key.type === 'Identifier') return key.name;
  return key.type === 'StringLiteral' || key.type === 'NumericLiteral'
    ? String(key.value)
    : undefined;
}

/** Where a node is written. */
export function placeOf(node: t.Node, scope: Scope): Written {
  const { file, jsonNode } = scope.module;
  // JSON is read between parentheses.
  const shift = jsonNode ? 1 : 0;
  return {
    file,
    start: (node.start ?? 0) - shift,
    end: (node.end ?? 0) - shift,
    line: node.loc?.start.line ?? 1,
  };
}

export function unknown(node: t.Node, scope: Scope, why: string): StaticValue {
  return { ...placeOf(node, scope), kind: 'unknown', why };
}

export function unknownFrom(value: StaticValue): StaticValue {
  return value.kind === 'unknown' ? value : { ...value, kind: 'unknown', why: 'is computed' };
}
