import type { OpenApi, Operation, Schema } from './document.ts';

/** A call with curl that can be pasted once the names in capitals are replaced. */
export function curlOf(
  method: string,
  path: string,
  operation: Operation,
  { servers, components }: OpenApi,
): string {
  const [server] = servers ?? [];
  const base = server === undefined || server.url === '/' ? 'http://localhost:3000' : server.url;
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeholder(name));
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${base}${url}'`];
  const [scheme] = Object.keys(operation.security?.[0] ?? {});
  if (scheme !== undefined)
    lines.push(
      `-H 'Authorization: Bearer ${scheme === 'adminKey' ? 'ADMIN_KEY' : 'ASSISTANT_KEY'}'`,
    );
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (schema) {
    const body = JSON.stringify(exampleOf(schema, components?.schemas ?? {}, 0));
    lines.push("-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

function placeholder(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
}

/** A value with the required members only: the smallest that is accepted. */
function exampleOf(schema: Schema, known: Record<string, Schema>, depth: number): unknown {
  const { $ref, anyOf, enum: values, type, properties, required = [], items } = schema;
  if (depth > 6) return null;
  const next = (one: Schema) => exampleOf(one, known, depth + 1);
  if ($ref !== undefined) return next(known[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (values) return values[0];
  if (anyOf?.[0]) return next(anyOf[0]);
  if (properties)
    return Object.fromEntries(required.map(name => [name, next(properties[name] ?? {})]));
  if (items) return [next(items)];
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    case 'object':
      return {};
    default:
      return 'text';
  }
}
