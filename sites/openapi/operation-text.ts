import { isObject, listOf, objectOf } from '../values.ts';
import { curlExample } from './curl-example.ts';
import { type ApiDescription, type ApiOperation, writtenText } from './operations.ts';
import { factsOf, firstLines, item, memberLines, schemaOf } from './schema-text.ts';

const LONGEST_TEXT = 20_000;

/** An operation as a reader of its page sees it, in Markdown: `METHOD /path` is a heading. */
export function operationText(operation: ApiOperation, description: ApiDescription): string {
  const { node } = operation;
  const { resolve } = description;
  return [
    `## ${operation.method} ${plainRoute(operation.route)}`,
    operation.summary,
    node.deprecated === true ? '**Deprecated.**' : '',
    writtenText(node.description)?.slice(0, LONGEST_TEXT),
    authorization(operation, description),
    ...parameters(operation, resolve),
    ...requestBody(node, resolve),
    ...responses(node, resolve),
    '### Example',
    `\`\`\`bash\n${curlExample(operation, description)}\n\`\`\``,
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
export const PARTS_OF_OPERATION = ['Parameters', 'Request body', 'Responses', 'Example'];

type Resolve = ApiDescription['resolve'];

/** What a caller has to show, in the words of the description. */
function authorization(operation: ApiOperation, description: ApiDescription): string {
  const choices = description.securityOf(operation);
  const names = choices.flatMap(choice =>
    choice.map(({ name, scheme }) => writtenText(scheme.description) ?? `\`${name}\``),
  );
  if (names.length === 0) return '';
  const isOptional = choices.some(choice => choice.length === 0);
  return `**Authorization**${isOptional ? ' (optional)' : ''}: ${[...new Set(names)].join('; ')}`;
}

function parameters({ node, shared }: ApiOperation, resolve: Resolve): string[] {
  const all = [...shared, ...listOf(node.parameters)].map(resolve).filter(isObject);
  // OpenAPI 2.0 has the body among the parameters.
  const lines = all
    .filter(each => each.in !== 'body')
    .map(each => {
      const schema = objectOf(resolve(each.schema ?? each));
      const facts = [each.in, ...factsOf(schema, resolve), each.required === true && 'required'];
      return item(String(each.name), facts, each.description);
    });
  return lines.length === 0 ? [] : ['### Parameters', firstLines(lines)];
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
  const known = new Set<unknown>();
  const lines = Object.entries(objectOf(node.responses)).flatMap(([status, found]) => {
    const response = objectOf(resolve(found));
    const schema = resolve(schemaOf(response, resolve) ?? response.schema);
    // All failures have mostly the same members.
    const isNew = isObject(schema) && !known.has(schema);
    known.add(schema);
    return [
      item(status, [], response.description),
      ...(isNew ? memberLines(schema, resolve, 1) : []),
    ];
  });
  return lines.length === 0 ? [] : ['### Responses', firstLines(lines)];
}
