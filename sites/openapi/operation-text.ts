import { isObject, listOf, objectOf } from '../values.ts';
import { type ApiDescription, type ApiOperation, writtenText } from './operations.ts';

/** Levels of a schema that are written out. Descriptions name each other, also in circles. */
const DEEPEST = 6;
/** Schemas that are looked at for one list: each may name many. */
const MOST_SCHEMAS = 1_000;
/** Lines of members; the rest of a schema is left out. */
const MOST_LINES = 200;
const LONGEST_TEXT = 20_000;

/** An operation as a reader of its page sees it, in Markdown: `METHOD /path` is a heading. */
export function operationText(
  operation: ApiOperation,
  { resolve }: Pick<ApiDescription, 'resolve'>,
): string {
  const { node } = operation;
  return [
    `## ${operation.method} ${plainRoute(operation.route)}`,
    operation.summary,
    writtenText(node.description)?.slice(0, LONGEST_TEXT),
    ...parameters(operation, resolve),
    ...requestBody(node, resolve),
    ...responses(node, resolve),
  ]
    .filter(part => part !== undefined && part !== '')
    .join('\n\n');
}

/** A route with wildcards (`/files/*`, `/{path*}`) as Markdown that shows it as it is. */
function plainRoute(route: string): string {
  return route.replace(/[\\`*_[\]]/g, '\\$&').replaceAll('<', '&lt;');
}

export function operationTitle({ summary, operationId, method, route }: ApiOperation): string {
  return summary ?? operationId ?? `${method} ${route}`;
}

/** Headings of an operation's parts, in their order. */
export const PARTS_OF_OPERATION = ['Parameters', 'Request body', 'Responses'];

type Resolve = ApiDescription['resolve'];

function parameters({ node, shared }: ApiOperation, resolve: Resolve): string[] {
  const all = [...shared, ...listOf(node.parameters)].map(resolve).filter(isObject);
  // OpenAPI 2.0 has the body among the parameters.
  const lines = all
    .filter(each => each.in !== 'body')
    .map(each => {
      const schema = objectOf(resolve(each.schema ?? each));
      const facts = [each.in, typeOf(schema), each.required === true && 'required'];
      return item(String(each.name), facts, each.description);
    });
  return lines.length === 0 ? [] : ['### Parameters', lines.slice(0, MOST_LINES).join('\n')];
}

function requestBody(node: Record<string, unknown>, resolve: Resolve): string[] {
  const body = objectOf(resolve(node.requestBody));
  const old = listOf(node.parameters)
    .map(resolve)
    .filter(isObject)
    .find(each => each.in === 'body');
  const schema = schemaOf(body, resolve) ?? old?.schema;
  if (schema === undefined) return [];
  const description = writtenText(body.description) ?? writtenText(old?.description);
  return ['### Request body', description ?? '', memberLines(schema, resolve).join('\n')];
}

function responses(node: Record<string, unknown>, resolve: Resolve): string[] {
  const lines = Object.entries(objectOf(node.responses)).flatMap(([status, found]) => {
    const response = objectOf(resolve(found));
    const schema = schemaOf(response, resolve) ?? response.schema;
    return [
      item(status, [], response.description),
      ...(schema === undefined ? [] : memberLines(schema, resolve, 1)),
    ];
  });
  return lines.length === 0 ? [] : ['### Responses', lines.slice(0, MOST_LINES).join('\n')];
}

/** Of the first kind of content, mostly JSON. */
function schemaOf(body: Record<string, unknown>, resolve: Resolve): unknown {
  const [content] = Object.values(objectOf(body.content));
  return objectOf(resolve(content)).schema;
}

/** The members of a schema, those of members indented below them. */
function memberLines(schema: unknown, resolve: Resolve, indented = 0): string[] {
  const lines: string[] = [];
  let room = MOST_SCHEMAS;
  const visit = (found: unknown, indent: number, level: number): void => {
    if (level > DEEPEST || lines.length >= MOST_LINES || (room -= 1) < 0) return;
    const node = objectOf(resolve(found));
    for (const part of [...listOf(node.allOf), ...listOf(node.oneOf), ...listOf(node.anyOf)])
      visit(part, indent, level + 1);
    if (node.items !== undefined) visit(node.items, indent, level + 1);
    const required = new Set(listOf(node.required));
    for (const [name, member] of Object.entries(objectOf(node.properties))) {
      if (lines.length >= MOST_LINES) return;
      const value = objectOf(resolve(member));
      const facts = [typeOf(value), required.has(name) && 'required'];
      lines.push(`${'  '.repeat(indent)}${item(name, facts, value.description)}`);
      visit(value, indent + 1, level + 1);
    }
  };
  visit(schema, indented, 0);
  return lines;
}

function typeOf(schema: Record<string, unknown>): string | undefined {
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : writtenText(schema.type);
  const values = listOf(schema.enum).filter(value => typeof value !== 'object');
  return values.length === 0 ? type : `one of ${values.slice(0, 20).join(', ')}`;
}

function item(name: string, facts: unknown[], description: unknown): string {
  const known = facts.filter(fact => typeof fact === 'string');
  const text = writtenText(description)?.replace(/\s+/g, ' ').slice(0, 1_000);
  return `- \`${name}\`${known.length > 0 ? ` (${known.join(', ')})` : ''}${text ? `: ${text}` : ''}`;
}
