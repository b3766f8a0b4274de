import { writtenJson, listOf, objectOf } from '../values.ts';
import { type ApiDescription, writtenText } from './operations.ts';

/** Levels of a schema that are written out. Descriptions name each other, also in circles. */
const DEEPEST = 6;
/** Schemas that are looked at for one list: each may name many. */
const MOST_SCHEMAS = 1_000;
/** Lines of members; the rest of a schema is left out. */
const MOST_LINES = 200;
const MOST_VALUES = 20;
/** Schemas that are looked at for the type of one value: each may name twenty. */
const MOST_CHOICES = 100;

type Resolve = ApiDescription['resolve'];
type Schema = Record<string, unknown>;

/** Of the first kind of content, mostly JSON. */
export function schemaOf(body: Schema, resolve: Resolve): unknown {
  const [content] = Object.values(objectOf(body.content));
  return objectOf(resolve(content)).schema;
}

/** The members of a schema, those of members indented below them. */
export function memberLines(schema: unknown, resolve: Resolve, indented = 0): string[] {
  const lines: string[] = [];
  let room = MOST_SCHEMAS;
  let isCut = false;
  const visit = (found: unknown, indent: number, level: number): void => {
    if (level > DEEPEST || lines.length >= MOST_LINES || (room -= 1) < 0) return;
    const node = objectOf(resolve(found));
    for (const part of [...listOf(node.allOf), ...listOf(node.oneOf), ...listOf(node.anyOf)])
      visit(part, indent, level + 1);
    if (node.items !== undefined) visit(node.items, indent, level + 1);
    const required = new Set(listOf(node.required));
    for (const [name, member] of Object.entries(objectOf(node.properties))) {
      isCut ||= lines.length >= MOST_LINES;
      if (isCut) return;
      const value = objectOf(resolve(member));
      const facts = [...factsOf(value, resolve), required.has(name) && 'required'];
      lines.push(`${'  '.repeat(indent)}${item(name, facts, value.description)}`);
      visit(value, indent + 1, level + 1);
    }
  };
  visit(schema, indented, 0);
  return isCut || room < 0 ? [...lines, MORE] : lines;
}

const MORE = '- There is more, which is not shown here.';

/** Lines of a list, of which the last one says if there are more. */
export function firstLines(lines: readonly string[]): string {
  const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES), MORE] : lines;
  return shown.join('\n');
}

/** A line of a list. Of the facts, those that are known. */
export function item(name: string, facts: readonly unknown[], description: unknown): string {
  const known = facts.filter(fact => typeof fact === 'string');
  const text = writtenText(description)?.replace(/\s+/g, ' ').slice(0, 1_000);
  return `- \`${name}\`${known.length > 0 ? ` (${known.join(', ')})` : ''}${text ? `: ${text}` : ''}`;
}

/** The type of a value, its limits and its default, in words. */
export function factsOf(schema: Schema, resolve: Resolve): (string | undefined)[] {
  const initial = writtenJson(schema.default);
  return [
    typeOf(schema, { resolve, left: MOST_CHOICES }, 0),
    rangeOf(schema, 'Length', ' characters'),
    rangeOf(schema, 'Items', ' items'),
    rangeOf(schema, 'imum', ''),
    initial && `default ${initial.slice(0, 100)}`,
  ];
}

/** How much may still be looked at. */
interface Look {
  resolve: Resolve;
  left: number;
}

function typeOf(schema: Schema, look: Look, level: number): string | undefined {
  if (level > DEEPEST || (look.left -= 1) < 0) return undefined;
  const written = listOf(schema.type).length > 0 ? listOf(schema.type) : [schema.type];
  const values = valuesOf(schema);
  if (values.length > 0)
    return `one of ${[...values, ...(written.includes('null') ? ['null'] : [])].join(', ')}`;
  const choices = [...listOf(schema.oneOf), ...listOf(schema.anyOf)]
    .slice(0, MOST_VALUES)
    .map(one => objectOf(look.resolve(one)));
  const named = choices.flatMap(valuesOf).slice(0, MOST_VALUES);
  const others = choices.filter(one => valuesOf(one).length === 0);
  const types = [
    ...(named.length > 0 ? [`one of ${named.join(', ')}`] : []),
    ...others.map(one => typeOf(one, look, level + 1)),
    ...written.map(one => (one === 'array' ? listType(schema, look, level) : writtenText(one))),
  ];
  return [...new Set(types)].filter(Boolean).join(' or ') || undefined;
}

function listType({ items }: Schema, look: Look, level: number): string {
  const inner = typeOf(objectOf(look.resolve(items)), look, level + 1);
  return inner === undefined ? 'array' : `array of ${inner}`;
}

function valuesOf({ const: one, enum: several }: Schema): string[] {
  return [...listOf(several), one]
    .filter(value => value !== undefined && typeof value !== 'object')
    .slice(0, MOST_VALUES)
    .map(value => `\`${String(value)}\``);
}

function rangeOf(schema: Schema, limit: string, unit: string): string | undefined {
  const [low, high] = [`min${limit}`, `max${limit}`].map(name =>
    typeof schema[name] === 'number' ? schema[name].toLocaleString('en-US') : undefined,
  );
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (high !== undefined) return `at most ${high}${unit}`;
  return low === undefined ? undefined : `at least ${low}${unit}`;
}
