import {
  type ApiDescription,
  type ApiOperation,
  describeApi,
  writtenText,
} from '../../sites/openapi/operations.ts';
import { isObject, listOf, objectOf } from '../../sites/values.ts';
import { nearest } from '../tools/near.ts';
import { clip, count } from '../tools/text.ts';
import { namedSchemas } from './description-files.ts';
import { resolvedText } from './resolved-text.ts';

export type OpenApiQuestion =
  | { kind: 'operation'; operation: string }
  | { kind: 'schema'; schema: string }
  | { kind: 'find'; query: string; skip: number }
  | { kind: 'overview'; skip: number };

export interface OpenApiAnswer {
  text: string;
  isError: boolean;
  /** For people: what the answer shows. */
  found: string;
}

const MOST_LISTED = 100;
const MOST_SCHEMAS = 20;
const METHOD = /^(get|put|post|delete|options|head|patch|trace)\s+(.+)$/i;

/** Answers from a whole description. */
export function answerOpenApiQuestion(
  path: string,
  root: unknown,
  question: OpenApiQuestion,
): OpenApiAnswer {
  const api = describeApi(root);
  if (!api) return failure(`${path} is not an OpenAPI description (2.0 or 3.x) in JSON or YAML.`);
  switch (question.kind) {
    case 'operation':
      return showOperation(path, api, question.operation);
    case 'schema':
      return showSchema(path, api, question.schema);
    case 'find':
      return find(path, api, question);
    case 'overview':
      return overview(path, api, question.skip);
  }
}

function showOperation(path: string, api: ApiDescription, wanted: string): OpenApiAnswer {
  const found = named(api.operations, wanted.trim());
  const [only] = found;
  if (!only) {
    const names = api.operations.flatMap(one => [nameOf(one), one.operationId ?? []].flat());
    const near = nearest(wanted, names, 5);
    const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Find it with `query`.';
    return failure(`${path} has no operation ${wanted}. ${hint}`);
  }
  if (found.length > 1)
    return failure(`${wanted} has several operations. Name one: ${found.map(nameOf).join(', ')}.`);
  const { node, shared } = only;
  const { root } = api;
  const whole = {
    ...node,
    ...((shared.length > 0 || node.parameters !== undefined) && {
      parameters: [...shared, ...listOf(node.parameters)],
    }),
    servers: node.servers ?? root.servers,
    security: node.security ?? root.security,
  };
  const { text, left } = resolvedText(withoutAbsent(whole), api.resolve);
  return shown(`${path}: ${nameOf(only)}`, text, left, nameOf(only));
}

/** By `GET /users/{id}`, `/users/{id}` or operationId; names of path parameters do not count. */
function named(operations: readonly ApiOperation[], wanted: string): ApiOperation[] {
  const byId = operations.filter(one => one.operationId === wanted);
  if (byId.length > 0) return byId.slice(0, 1);
  const [, method, route = wanted] = METHOD.exec(wanted) ?? [];
  return operations.filter(
    one =>
      withoutNames(one.route) === withoutNames(route) &&
      (method === undefined || one.method === method.toUpperCase()),
  );
}

function withoutNames(route: string): string {
  return route
    .trim()
    .replace(/\{[^{}]*\}|:\w+/g, '{}')
    .replace(/(.)\/$/, '$1');
}

function showSchema(path: string, api: ApiDescription, wanted: string): OpenApiAnswer {
  const schemas = namedSchemas(api.root);
  const name = wanted.trim().replace(/^.*\//, '');
  if (!Object.hasOwn(schemas, name)) {
    const near = nearest(name, Object.keys(schemas), 5);
    const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
    return failure(`${path} has no schema ${name}.${hint}`);
  }
  const { text, left } = resolvedText(schemas[name], api.resolve);
  return shown(`${path}: schema ${name}`, text, left, name);
}

function shown(title: string, text: string, left: string[], found: string): OpenApiAnswer {
  const hint =
    left.length === 0
      ? ''
      : `\n[Not written out: ${left.slice(0, 20).join(', ')}. Read a schema with \`schema\`.]`;
  return { text: `${title}\n${text.trimEnd()}${hint}`, isError: false, found };
}

function find(
  path: string,
  api: ApiDescription,
  { query, skip }: { query: string; skip: number },
): OpenApiAnswer {
  const words = wordsOf(query);
  const operations = api.operations
    .map(operation => ({ operation, score: scoreOf(operation, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ operation }) => operation);
  const schemas = Object.keys(namedSchemas(api.root)).filter(name => {
    const own = wordsOf(name).join(' ');
    return words.some(word => own.includes(word));
  });
  if (operations.length === 0 && schemas.length === 0)
    return failure(`No operation or schema of ${path} has the words ${query}. Try others.`);
  const lines = [
    `${path}: ${count(operations.length, 'operation')} with these words, best first:`,
    ...listed(operations, skip),
  ];
  if (schemas.length > 0) lines.push(`Schemas: ${schemas.slice(0, MOST_SCHEMAS).join(', ')}`);
  const found = `${clip(query, 80)} (${count(operations.length, 'operation')})`;
  return { text: lines.join('\n'), isError: false, found };
}

function overview(path: string, api: ApiDescription, skip: number): OpenApiAnswer {
  const { root, operations, elsewhere } = api;
  const info = objectOf(root.info);
  const version = writtenText(info.version) ?? 'not given';
  const servers = listOf(root.servers).flatMap(one => writtenText(objectOf(one).url) ?? []);
  const schemas = Object.keys(namedSchemas(root));
  const lines = [
    `${path}: ${api.title ?? 'an API'}, version ${version}`,
    ...(servers.length > 0 ? [`Servers: ${servers.slice(0, 10).join(', ')}`] : []),
    `${count(operations.length, 'operation')}:`,
    ...listed(operations, skip),
  ];
  if (elsewhere.length > 0) lines.push(`Paths that cannot be read: ${elsewhere.join(', ')}`);
  if (schemas.length > 0)
    lines.push(`${count(schemas.length, 'schema')}: ${clip(schemas.join(', '), 4_000)}`);
  return { text: lines.join('\n'), isError: false, found: count(operations.length, 'operation') };
}

function listed(operations: readonly ApiOperation[], skip: number): string[] {
  const lines = operations.slice(skip, skip + MOST_LISTED).map(one => {
    const id = one.operationId === undefined ? '' : ` [${one.operationId}]`;
    const old = one.node.deprecated === true ? ' (deprecated)' : '';
    const said = one.summary === undefined ? '' : `: ${one.summary.replace(/\s+/g, ' ')}`;
    return clip(`${nameOf(one)}${id}${old}${said}`, 300);
  });
  const rest = operations.length - skip - MOST_LISTED;
  return rest > 0
    ? [...lines, `[${rest} more: narrow the words, or skip ${skip + MOST_LISTED}.]`]
    : lines;
}

function nameOf({ method, route }: ApiOperation): string {
  return `${method} ${route}`;
}

/** Words in its name count most, then in its summary, in its tags, and in all that it says. */
function scoreOf(operation: ApiOperation, words: readonly string[]): number {
  const { operationId = '', summary = '' } = operation;
  const name = wordsOf(`${nameOf(operation)} ${operationId}`).join(' ');
  const said = wordsOf(summary).join(' ');
  const tags = operation.tags.join(' ').toLowerCase();
  const all = JSON.stringify([operation.node, operation.shared]).toLowerCase();
  return words.reduce(
    (sum, word) =>
      sum +
      (name.includes(word)
        ? 8
        : said.includes(word)
          ? 5
          : tags.includes(word)
            ? 3
            : Number(all.includes(word))),
    0,
  );
}

/** In lower case, without a plural's `s`; `rateLimit` is two. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .map(word => (word.length > 3 ? word.replace(/s$/, '') : word));
}

function withoutAbsent(node: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).filter(([, value]) => value !== undefined && !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function failure(text: string): OpenApiAnswer {
  return { text, isError: true, found: '' };
}
