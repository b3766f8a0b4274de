/** The JSON schema of a body, as far as it matters here. */
interface Schema {
  type?: string | string[];
  default?: unknown;
  description?: string;
  const?: unknown;
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  [keyword: string]: unknown;
}

const NO_NUL = '^[^\\u0000]*$';
const NULL: Schema = { type: 'null' };

/**
 * A body's schema with what validation adds to every one: an optional member may be null, and no
 * text may contain U+0000. Within a choice of schemas, null is as the schema says. Defaults are in
 * words: generators of TypeScript would require a member that has one.
 */
export function documentedBody(schema: Schema, isInChoice = false): Schema {
  const { default: initial, ...documented } = schema;
  const { type, properties, required = [], items, anyOf } = schema;
  const inner = (one: Schema) => documentedBody(one, isInChoice);
  if (initial !== undefined)
    documented.description =
      `${schema.description ?? ''} By default ${typeof initial === 'string' ? initial : JSON.stringify(initial)}.`.trim();
  if (properties)
    documented.properties = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [
        name,
        isInChoice || required.includes(name) ? inner(one) : orNull(inner(one)),
      ]),
    );
  if (items) documented.items = inner(items);
  if (anyOf) documented.anyOf = anyOf.map(one => documentedBody(one, true));
  if (type === 'string' && schema.const === undefined) return withoutNul(documented);
  return documented;
}

function withoutNul(schema: Schema): Schema {
  if (schema.pattern === undefined) return { ...schema, pattern: NO_NUL };
  return { ...schema, allOf: [{ pattern: NO_NUL }] };
}

function orNull(schema: Schema): Schema {
  if (schema.anyOf)
    return schema.anyOf.some(one => one.type === 'null')
      ? schema
      : { ...schema, anyOf: [...schema.anyOf, NULL] };
  if (typeof schema.type !== 'string' || schema.type === 'null') return schema;
  if (schema.const !== undefined) return { anyOf: [schema, NULL] };
  return { ...schema, type: [schema.type, 'null'] };
}
