/**
 * A value of a configuration file, with where it is written, so that it can be edited in place.
 * `start` and `end` are offsets in `file`.
 */
export interface Written {
  file: string;
  start: number;
  end: number;
  /** 1-based. */
  line: number;
}

/** Offsets in a file's text. */
export interface Extent {
  start: number;
  end: number;
}

/** An array or object as it stands in a file: what an edit of its text has to know. */
export interface Literal extends Extent {
  file: string;
  /** Elements or members, spreads included, in order. */
  parts: Extent[];
}

/** Where an element of an array or a member of an object is written. */
export interface Slot {
  literal: Literal;
  /** Index in the literal's parts. */
  index: number;
  /** The expression; of a member, what follows its name. */
  value: Extent;
  /** The name of a member. */
  key?: Extent;
  /** 1-based. */
  line: number;
}

export type StaticValue = Written &
  (
    | {
        kind: 'object';
        members: Map<string, StaticValue>;
        slots: Map<string, Slot>;
        literal: Literal;
      }
    /** `slots` has one for each item; one of a spread list is where that list is written. */
    | { kind: 'array'; items: StaticValue[]; slots: Slot[]; literal: Literal }
    | { kind: 'literal'; value: string | number | boolean | null | undefined }
    | { kind: 'regex'; source: string }
    /** Known only by running the code; `why` is one sentence. */
    | { kind: 'unknown'; why: string; call?: StaticCall }
  );

/** A call of a function that a package brings: `starlight({ … })`. */
export interface StaticCall {
  name: string;
  arguments: StaticValue[];
}

/** The first argument of a call of this function, if the value is one. */
export function argumentOf(value: StaticValue, name: string): StaticValue | undefined {
  return value.kind === 'unknown' && value.call?.name === name
    ? value.call.arguments[0]
    : undefined;
}

/** The member of an object, or undefined, also if that is what is written. */
export function member(value: StaticValue | undefined, name: string): StaticValue | undefined {
  const found = value?.kind === 'object' ? value.members.get(name) : undefined;
  return found?.kind === 'literal' && found.value === undefined ? undefined : found;
}

/** Follows names from a value: `at(config, 'themeConfig', 'sidebar')`. */
export function at(value: StaticValue | undefined, ...names: string[]): StaticValue | undefined {
  return names.reduce(member, value);
}

export function asString(value: StaticValue | undefined): string | undefined {
  return value?.kind === 'literal' && typeof value.value === 'string' ? value.value : undefined;
}

export function asBoolean(value: StaticValue | undefined): boolean | undefined {
  return value?.kind === 'literal' && typeof value.value === 'boolean' ? value.value : undefined;
}

export function asNumber(value: StaticValue | undefined): number | undefined {
  return value?.kind === 'literal' && typeof value.value === 'number' ? value.value : undefined;
}

/** The items of an array; of anything else, none. */
export function itemsOf(value: StaticValue | undefined): StaticValue[] {
  return value?.kind === 'array' ? value.items : [];
}

/** The members of an object; of anything else, none. */
export function membersOf(value: StaticValue | undefined): [string, StaticValue][] {
  return value?.kind === 'object' ? [...value.members] : [];
}

/** Strings of an array of strings, or the one string. */
export function asStrings(value: StaticValue | undefined): string[] {
  const one = asString(value);
  return one !== undefined ? [one] : itemsOf(value).flatMap(item => asString(item) ?? []);
}

/** Every part of a value that is unknown. */
export function unknownParts(value: StaticValue | undefined): StaticValue[] {
  if (value === undefined) return [];
  if (value.kind === 'unknown') return [value];
  if (value.kind === 'array') return value.items.flatMap(unknownParts);
  return value.kind === 'object' ? [...value.members.values()].flatMap(unknownParts) : [];
}

/** Functions around a configuration that leave it as it is, or that add no pages and no lists. */
const HARMLESS = /^(?:define\w*|withMermaid|withPwa)$/;

/** A configuration as a function gives it back, which may change all of it. */
export function givenTo(name: string, value: StaticValue, change: StaticValue): StaticValue {
  return HARMLESS.test(name) ? value : withChange(value, change);
}

/**
 * The object within the calls around it: `withPwa(extendConfig({ … }))`, which may change all of
 * it.
 */
export function unwrapped(value: StaticValue): StaticValue {
  let inner = value;
  let change: StaticValue | undefined;
  while (inner.kind === 'unknown') {
    if (inner.call && !HARMLESS.test(inner.call.name)) change ??= inner;
    const next = inner.call?.arguments.find(
      one => one.kind === 'object' || (one.kind === 'unknown' && one.call),
    );
    if (!next) break;
    inner = next;
  }
  return change && inner.kind === 'object' ? withChange(inner, change) : inner;
}

/** What is written, and that code adds to it or replaces it. */
export function withChange(value: StaticValue, change: StaticValue): StaticValue {
  if (value.kind === 'object')
    return { ...value, members: new Map([...value.members, [CHANGED, change]]) };
  return value.kind === 'array' ? { ...value, items: [...value.items, change] } : change;
}

/** No member of an object is named so. */
const CHANGED = '...changed';

/** Where code changes an object after it is written; undefined if none does. */
export function changesOf(...values: (StaticValue | undefined)[]): StaticValue[] {
  return values.flatMap(value => (value?.kind === 'object' && value.members.get(CHANGED)) || []);
}
