import { Ajv, type ValidateFunction } from 'ajv';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of JSON Schema, what GitHub's published schemas use. */
interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  format?: string;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  request?: Schema;
  answers: Record<string, Schema>;
}
interface Published {
  operations: Record<string, Operation>;
  schemas: Record<string, Schema>;
}

const PREFIX = 'github#/schemas/';
const published = JSON.parse(
  readFileSync(join(import.meta.dirname, 'schemas.json'), 'utf8'),
) as Published;
tighten(published);
const operations = Object.entries(published.operations).map(([name, operation]) => {
  const [method = '', path = ''] = name.split(' ');
  // Names of branches and commits may hold slashes, and GitHub takes them.
  return {
    method,
    name,
    pattern: new RegExp(
      `^${path.replace(/\{(branch|tree_sha|basehead)\}/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`,
    ),
    ...operation,
  };
});
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: {
    uri: URL.canParse,
    'date-time': (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text),
    email: true,
    int64: true,
    'repo.nwo': true,
  },
}).addSchema({ $id: 'github', ...published });
const compiled = new Map<Schema, ValidateFunction>();

/**
 * Thrown where the stand-in is not as GitHub says that it is, or we ask for what GitHub does not
 * have.
 */
export class Unpublished extends Error {
  override readonly name = 'Unpublished';
}

/** Refuses a request that GitHub's description does not know: its operation, or its body. */
export function checkRequest(method: string, path: string, body: Record<string, unknown>): void {
  const { name, request } = operationOf(method, path);
  if (request) check(`the request ${name}`, request, body);
}

/**
 * The answer with all members that GitHub's always have: those that nobody here gave a value get
 * one that says nothing. Throws `Unpublished` where the answer breaks the published schema, or has
 * a member that is not in it.
 */
export function publishedAnswer(
  method: string,
  path: string,
  status: number,
  body: unknown,
): unknown {
  const { name, answers } = operationOf(method, path);
  const schema = answers[status] ?? { $ref: `${PREFIX}basic-error` };
  if (status < 400 && status !== 301 && status !== 307 && !answers[status])
    throw new Unpublished(`GitHub never answers ${name} with status ${status}`);
  if (status === 204) return undefined;
  const complete = completed(schema, body);
  check(`the answer ${status} of ${name}`, schema, complete);
  return complete;
}

function operationOf(method: string, path: string): { name: string } & Operation {
  const found = operations.find(
    each =>
      each.method === method &&
      each.pattern.test(path.replace(/^\/repositories\/\d+/, '/repos/by/id')),
  );
  if (!found)
    throw new Unpublished(
      `of GitHub's operations the fixture has no ${method} ${path}: see test/hosts/github/published/extract.mts`,
    );
  return found;
}

function check(what: string, schema: Schema, value: unknown): void {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return;
  const wrong = (validate.errors ?? [])
    .slice(0, 5)
    .map(
      ({ instancePath, message, params }) =>
        `body${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  throw new Unpublished(`${what}: ${wrong.join('; ')}`);
}

function completed(schema: Schema, value: unknown): unknown {
  if (schema.$ref)
    return completed(published.schemas[schema.$ref.slice(PREFIX.length)] as Schema, value);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.properties) return completed(choices[0] as Schema, value);
  if (Array.isArray(value)) return value.map(each => completed(schema.items ?? {}, each));
  if (value !== undefined && (value === null || typeof value !== 'object')) return value;
  if (value === undefined && !schema.properties) return blank(schema);
  if (value === undefined && schema.nullable) return null;
  const given = (value ?? {}) as Record<string, unknown>;
  const names = new Set([...Object.keys(given), ...(schema.required ?? [])]);
  return Object.fromEntries(
    [...names].map(name => [name, completed(schema.properties?.[name] ?? {}, given[name])]),
  );
}

function blank({ nullable, enum: choices, type, format }: Schema): unknown {
  if (nullable) return null;
  if (choices) return choices[0];
  switch (type) {
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    case 'string':
      return format === 'uri'
        ? 'https://unused.invalid/'
        : format === 'date-time'
          ? '2026-01-01T00:00:00Z'
          : '';
    default:
      return {};
  }
}

/**
 * GitHub's schemas forbid no member that they do not name; of ours, such a one is a misspelling.
 * And OpenAPI's `nullable` goes without a type or with an enumeration, where JSON Schema wants null
 * spelt out.
 */
function tighten(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  const schema = value as Schema;
  // What is added to a schema in this way is optional, and the stand-in has none of it.
  const [whole] = schema.allOf ?? [];
  if (whole) Object.assign(schema, whole, { allOf: undefined });
  if (schema.nullable && schema.anyOf) schema.anyOf.push({ type: 'null' });
  if (schema.nullable && schema.enum) schema.enum.push(null);
  if (schema.nullable && !schema.type) delete schema.nullable;
  if (
    schema.properties &&
    typeof schema.type === 'string' &&
    schema.additionalProperties === undefined
  )
    schema.additionalProperties = false;
  for (const each of Object.values(value)) tighten(each);
}
