import { isObject, writtenJson, listOf, objectOf } from '../values.ts';
import { type ApiDescription, type ApiOperation, writtenText } from './operations.ts';
import { schemaOf } from './schema-text.ts';

const DEEPEST = 6;
/** Values of an example: a description may ask for many. */
const MOST_VALUES = 100;
/** A body that is longer, or cannot be written, is a file: each operation may name the same one. */
const LONGEST_BODY = 5_000;

/** A call for a shell in which what the caller has to know is set: `$BASE_URL`, `$ADMIN_KEY`. */
export function curlExample(operation: ApiOperation, description: ApiDescription): string {
  const { method, route, node } = operation;
  const { resolve, root } = description;
  const server = writtenText(objectOf(listOf(root.servers)[0]).url) ?? '';
  const base = /^https?:/.test(server) ? inQuotes(server.replace(/\/$/, '')) : '$BASE_URL';
  const url = route
    .split(/(\{[^{}]*\})/)
    .map((part, i) => (i % 2 === 0 ? inQuotes(part) : `$${variable(part)}`))
    .join('');
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${base}${url}"`];
  const [needed = []] = description.securityOf(operation);
  for (const { name, scheme } of needed) {
    const isBearer = scheme.type === 'oauth2' || String(scheme.scheme).toLowerCase() === 'bearer';
    if (isBearer) lines.push(`-H "Authorization: Bearer $${variable(name)}"`);
    else if (scheme.in === 'header')
      lines.push(`-H "${inQuotes(String(scheme.name))}: $${variable(name)}"`);
  }
  const body = objectOf(resolve(node.requestBody));
  if (/json/.test(Object.keys(objectOf(body.content))[0] ?? '')) {
    const [content] = Object.values(objectOf(body.content)).map(objectOf);
    const value = content?.example ?? exampleOf(schemaOf(body, resolve), resolve);
    const example = writtenJson(value) ?? '';
    const isFile = example === '' || example.length > LONGEST_BODY;
    const data = isFile ? '@body.json' : `'${example.replaceAll("'", "'\\''")}'`;
    lines.push('-H "Content-Type: application/json"', `-d ${data}`);
  }
  return lines.join(' \\\n  ');
}

function inQuotes(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/["$`\\]/g, '\\$&');
}

/** `{projectId}` as `PROJECT_ID`. */
function variable(name: string): string {
  const words = name.replace(/[A-Z]/g, letter => `_${letter}`).match(/[A-Za-z0-9]+/g);
  return words?.join('_').toUpperCase() ?? 'PATH_REST';
}

/** A value with the required members only: the smallest that is accepted. */
function exampleOf(schema: unknown, resolve: ApiDescription['resolve']): unknown {
  let room = MOST_VALUES;
  const make = (found: unknown, level: number): unknown => {
    const node = objectOf(resolve(found));
    if (level > DEEPEST || (room -= 1) < 0) return null;
    const { const: only, default: initial, example, examples, minimum, items } = node;
    const given = example ?? listOf(examples)[0];
    const known = [only, given, initial, listOf(node.enum)[0]].find(one => one !== undefined);
    if (known !== undefined) return known;
    const [choice] = [...listOf(node.oneOf), ...listOf(node.anyOf)];
    if (choice !== undefined) return make(choice, level + 1);
    const parts = listOf(node.allOf)
      .map(part => make(part, level + 1))
      .filter(isObject);
    if (node.properties !== undefined || parts.length > 0) {
      const members = objectOf(node.properties);
      const own = listOf(node.required).map(name => [name, make(members[String(name)], level + 1)]);
      return Object.assign({}, ...parts, Object.fromEntries(own));
    }
    const [type] = [node.type].flat();
    if (type === 'array') return [make(items, level + 1)];
    if (type === 'integer' || type === 'number') return minimum ?? 1;
    const simple: Record<string, unknown> = { boolean: false, null: null, object: {} };
    return typeof type === 'string' && type in simple ? simple[type] : 'text';
  };
  return make(schema, 0);
}
