import type * as t from '@babel/types';
import type { Evaluate } from './operators.ts';
import type { StaticValue } from './static-value.ts';
import { isEnvironment, placeOf, type Scope, unknown, unknownFrom } from './syntax-node.ts';

/** An array with its spreads put in. */
export function arrayValue(node: t.ArrayExpression, scope: Scope, evaluate: Evaluate): StaticValue {
  const items = node.elements.flatMap((element): StaticValue[] => {
    if (element === null) return [];
    if (element.type !== 'SpreadElement') return [evaluate(element, scope)];
    const spread = evaluate(element.argument, scope);
    return spread.kind === 'array' ? spread.items : [unknownFrom(spread)];
  });
  return { ...placeOf(node, scope), kind: 'array', items };
}

/** An object with its spreads put in. */
export function objectValue(
  node: t.ObjectExpression,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  const members = new Map<string, StaticValue>();
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = evaluate(property.argument, scope);
      if (spread.kind === 'object') for (const [key, one] of spread.members) members.set(key, one);
      else members.set(`...${members.size}`, unknownFrom(spread));
      continue;
    }
    const key = keyOf(property, scope, evaluate);
    if (key === undefined)
      members.set(`...${members.size}`, unknown(property, scope, 'has a computed name'));
    else if (property.type === 'ObjectMethod')
      members.set(key, unknown(property, scope, 'is a function'));
    else members.set(key, evaluate(property.value, scope));
  }
  return { ...placeOf(node, scope), kind: 'object', members };
}

function keyOf(
  property: t.ObjectProperty | t.ObjectMethod,
  scope: Scope,
  evaluate: Evaluate,
): string | undefined {
  const { key } = property;
  if (!property.computed && key.type === 'Identifier') return key.name;
  const value = evaluate(key, scope);
  return value.kind === 'literal' ? String(value.value) : undefined;
}

/** A member of an object or array that is known. */
export function memberValue(
  node: t.MemberExpression | t.OptionalMemberExpression,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  // As in a build with an empty environment.
  if (isEnvironment(node.object))
    return { ...placeOf(node, scope), kind: 'literal', value: undefined };
  const object = evaluate(node.object, scope);
  const { property } = node;
  const key =
    !node.computed && property.type === 'Identifier' ? property.name : evaluate(property, scope);
  const name = typeof key === 'string' ? key : key.kind === 'literal' ? String(key.value) : '';
  const found =
    object.kind === 'object'
      ? object.members.get(name)
      : object.kind === 'array'
        ? object.items[Number(name)]
        : undefined;
  return found ?? unknown(node, scope, 'is computed');
}
