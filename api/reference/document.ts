import { isDeepStrictEqual } from 'node:util';
import {
  type Operation,
  type Part,
  nameSuccess,
  takeExamples,
  takeRefusals,
  tellDates,
} from './operation-parts.ts';

/** As far as it matters here. */
interface OpenApiDocument {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Part>; responses?: Record<string, Part> };
}

/** Members that contain values, not schemas. */
const VALUES = new Set(['default', 'enum', 'example', 'examples']);
const NULL = { type: 'null' };

/**
 * Makes the document one that generators of clients like: choices of constants are enumerations, a
 * schema with a `title` is a component of that name, and so is every refusal. `sunset`: when what is
 * deprecated is removed.
 */
export function finishDocument(made: object, sunset: string | undefined): void {
  const document: OpenApiDocument = made;
  const components = (document.components ??= {});
  const schemas: Record<string, Part> = {};
  const responses: Record<string, Part> = {};
  for (const [name, schema] of Object.entries(components.schemas ?? {}))
    schemas[name] = named(schema, schemas) as Part;
  for (const methods of Object.values(document.paths ?? {}))
    for (const [method, operation] of Object.entries(methods)) {
      nameSuccess(operation);
      takeExamples(operation);
      takeRefusals(operation, responses);
      tellDates(operation, sunset);
      methods[method] = named(operation, schemas) as Operation;
    }
  components.schemas = inOrder(schemas);
  components.responses = inOrder(responses);
}

/** A copy in which the schemas with a title are references; these are added to `schemas`. */
function named(part: unknown, schemas: Record<string, Part>): unknown {
  if (Array.isArray(part)) return part.map(one => named(one, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part);
  const whole = asUnion(
    asEnumeration(
      Object.fromEntries(
        entries.map(([key, value]) => [key, VALUES.has(key) ? value : named(value, schemas)]),
      ),
    ),
    schemas,
  );
  const { title, ...schema } = whole;
  if (typeof title !== 'string') return whole;
  const plain = withoutNull(schema);
  const known = schemas[title];
  if (known && !isDeepStrictEqual(known, plain))
    throw new Error(`Two schemas have the title ${title}.`);
  schemas[title] = plain;
  const reference = { $ref: `#/components/schemas/${title}` };
  return plain === schema
    ? reference
    : { description: schema.description, anyOf: [reference, NULL] };
}

/** A choice of constant texts, and perhaps null. */
function asEnumeration(schema: Part): Part {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const choices = anyOf as Part[];
  const values = choices.flatMap(one => (one.type === 'string' && one.enum) || []);
  const takesNull = choices.some(({ type }) => type === 'null');
  if (values.length === 0 || values.length + Number(takesNull) !== choices.length) return schema;
  return takesNull
    ? { ...rest, type: ['string', 'null'], enum: [...(values as unknown[]), null] }
    : { ...rest, type: 'string', enum: values };
}

/**
 * A choice of objects that say by one of their members which they are. Without a mapping, the member
 * would hold the name of the schema.
 */
function asUnion(schema: Part, schemas: Record<string, Part>): Part {
  const { anyOf, discriminator, ...rest } = schema;
  if (typeof discriminator !== 'string') return schema;
  const mapping = (anyOf as { $ref: string }[]).flatMap(({ $ref }) => {
    const { properties } = schemas[$ref.split('/').at(-1) ?? ''] as {
      properties: Record<string, { enum?: string[] }>;
    };
    return properties[discriminator]?.enum?.map(value => [value, $ref] as const) ?? [];
  });
  return {
    ...rest,
    oneOf: anyOf,
    discriminator: { propertyName: discriminator, mapping: Object.fromEntries(mapping) },
  };
}

function withoutNull(schema: Part): Part {
  const { type, enum: values } = schema;
  if (!Array.isArray(type) || !type.includes('null')) return schema;
  return {
    ...schema,
    type: type.find(one => one !== 'null') as unknown,
    ...(Array.isArray(values) && { enum: values.filter(one => one !== null) }),
  };
}

function inOrder(components: Record<string, Part>): Record<string, Part> {
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
