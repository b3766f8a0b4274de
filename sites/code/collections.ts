import type * as t from '@babel/types';
import type { Evaluate } from './operators.ts';
import type { Extent, Literal, Slot, StaticValue } from './static-value.ts';
import { isEnvironment, keyOf, placeOf, type Scope, unknown, unknownFrom } from './syntax-node.ts';

/** An array with its spreads put in. */
export function arrayValue(node: t.ArrayExpression, scope: Scope, evaluate: Evaluate): StaticValue {
  const elements = node.elements.filter(element => element !== null);
  const literal = literalOf(node, elements, scope);
  const items: StaticValue[] = [];
  const slots: Slot[] = [];
  for (const [index, element] of elements.entries()) {
    const slot = slotOf(literal, index, element, scope);
    if (element.type !== 'SpreadElement') {
      items.push(evaluate(element, scope));
      slots.push(slot);
      continue;
    }
    const spread = evaluate(element.argument, scope);
    const spreadItems = spread.kind === 'array' ? spread.items : [unknownFrom(spread)];
    items.push(...spreadItems);
    slots.push(
      ...spreadItems.map((_, at) => (spread.kind === 'array' && spread.slots[at]) || slot),
    );
  }
  return { ...placeOf(node, scope), kind: 'array', items, slots, literal };
}

/** An object with its spreads put in. */
export function objectValue(
  node: t.ObjectExpression,
  scope: Scope,
  evaluate: Evaluate,
): StaticValue {
  const members = new Map<string, StaticValue>();
  const slots = new Map<string, Slot>();
  const literal = literalOf(node, node.properties, scope);
  for (const [index, property] of node.properties.entries()) {
    const set = (key: string, value: StaticValue, slot: Slot) => {
      members.set(key, value);
      slots.set(key, slot);
    };
    const anonymous = `...${members.size}`;
    if (property.type === 'SpreadElement') {
      const spread = evaluate(property.argument, scope);
      const slot = slotOf(literal, index, property, scope);
      if (spread.kind === 'object')
        for (const [key, one] of spread.members) set(key, one, spread.slots.get(key) ?? slot);
      else set(anonymous, unknownFrom(spread), slot);
      continue;
    }
    const value = property.type === 'ObjectMethod' ? property.body : property.value;
    const slot = slotOf(literal, index, value, scope, property.key);
    const key = nameOf(property, scope, evaluate);
    if (key === undefined) set(anonymous, unknown(property, scope, 'has a computed name'), slot);
    else if (property.type === 'ObjectMethod')
      set(key, unknown(property, scope, 'is a function'), slot);
    else set(key, evaluate(property.value, scope), slot);
  }
  return { ...placeOf(node, scope), kind: 'object', members, slots, literal };
}

/** Offsets in the file; parentheses around an expression belong to it. */
function extentOf(node: t.Node, scope: Scope): Extent {
  const { start, end } = placeOf(node, scope);
  return { start, end };
}

function literalOf(node: t.Node, parts: readonly t.Node[], scope: Scope): Literal {
  const { file } = scope.module;
  return { file, ...extentOf(node, scope), parts: parts.map(part => extentOf(part, scope)) };
}

function slotOf(literal: Literal, index: number, value: t.Node, scope: Scope, key?: t.Node): Slot {
  const { line } = placeOf(value, scope);
  const slot = { literal, index, value: extentOf(value, scope), line };
  return key ? { ...slot, key: extentOf(key, scope) } : slot;
}

function nameOf(
  property: t.ObjectProperty | t.ObjectMethod,
  scope: Scope,
  evaluate: Evaluate,
): string | undefined {
  const written = keyOf(property);
  if (written !== undefined) return written;
  const value = evaluate(property.key, scope);
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
