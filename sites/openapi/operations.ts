import { parseBoundedYaml } from '../bounded-yaml.ts';
import { isObject, listOf, objectOf, stringsOf } from '../values.ts';

/** One operation of an API, from a description in OpenAPI 2.0 or 3.x. */
export interface ApiOperation {
  /** `GET`. */
  method: string;
  /** `/users/{id}`. */
  route: string;
  operationId: string | undefined;
  summary: string | undefined;
  tags: string[];
  /** Where a docs.json site publishes it, if the description says so. */
  href: string | undefined;
  /** Marked as not for readers, which platforms of docs.json heed. */
  isHidden: boolean;
  /** As written; `$ref`s are followed by `resolve`. */
  node: Record<string, unknown>;
  /** Parameters of the whole path. */
  shared: unknown[];
}

export interface ApiDescription {
  title: string | undefined;
  /** The whole description, as written. */
  root: Record<string, unknown>;
  operations: ApiOperation[];
  /** Paths whose operations are in other files, which are not read. */
  elsewhere: string[];
  /** There are more operations than are read. */
  isCut: boolean;
  /** What a `$ref` of this file leads to; a node that is none stays as it is. */
  resolve(node: unknown): unknown;
  /** What a caller has to show: each choice with all that it takes. An empty one takes nothing. */
  securityOf(operation: ApiOperation): NamedScheme[][];
}

interface NamedScheme {
  name: string;
  scheme: Record<string, unknown>;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** An API of GitHub's size has 1,100. */
export const MOST_OPERATIONS = 2_000;
/** A chain of references that is longer is a circle. */
const MOST_REFERENCES = 20;

/** Descriptions that are kept read: a job looks at the same ones after each edit. */
const MOST_KEPT = 8;
const kept = new Map<string, ApiDescription | undefined>();

/** Undefined if the text describes no API. Nothing outside the text is ever read. */
export function readApiDescription(text: string): ApiDescription | undefined {
  if (kept.has(text)) return kept.get(text);
  const description = read(text);
  kept.set(text, description);
  const [oldest = ''] = kept.keys();
  if (kept.size > MOST_KEPT) kept.delete(oldest);
  return description;
}

function read(text: string): ApiDescription | undefined {
  return describeApi(parseDescription(text));
}

/** Undefined if it describes no API. */
export function describeApi(root: unknown): ApiDescription | undefined {
  if (
    !isObject(root) ||
    !((typeof root.openapi === 'string' && /^\d/.test(root.openapi)) || root.swagger === '2.0')
  )
    return undefined;
  const resolve = (node: unknown) => follow(root, node);
  const operations: ApiOperation[] = [];
  const elsewhere: string[] = [];
  let isCut = false;
  for (const [route, item] of Object.entries(objectOf(root.paths))) {
    if (resolve(item) === undefined) elsewhere.push(route);
    const path = objectOf(resolve(item));
    for (const method of METHODS) {
      const node = resolve(path[method]);
      if (!isObject(node)) continue;
      if (operations.length >= MOST_OPERATIONS) {
        isCut = true;
        continue;
      }
      const extension = objectOf(node['x-mint']);
      operations.push({
        method: method.toUpperCase(),
        route,
        operationId: writtenText(node.operationId),
        summary: writtenText(node.summary),
        tags: stringsOf(node.tags),
        href: writtenText(extension.href),
        isHidden: node['x-hidden'] === true || node['x-excluded'] === true,
        node,
        shared: listOf(path.parameters),
      });
    }
  }
  const schemes = objectOf(objectOf(root.components).securitySchemes ?? root.securityDefinitions);
  return {
    title: writtenText(objectOf(root.info).title),
    ...{ root, operations, elsewhere, isCut, resolve },
    securityOf: ({ node }) =>
      listOf(node.security ?? root.security).map(choice =>
        Object.keys(objectOf(choice)).map(name => ({
          name,
          scheme: objectOf(resolve(schemes[name])),
        })),
      ),
  };
}

/** What a JSON or YAML file contains; undefined if it cannot be parsed. */
export function parseDescription(written: string): unknown {
  const text = written.replace(/^\uFEFF/, '');
  try {
    if (/^\s*\{/.test(text)) return JSON.parse(text);
    const document = parseBoundedYaml(text);
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

function follow(root: Record<string, unknown>, start: unknown): unknown {
  let node = start;
  for (let i = 0; i < MOST_REFERENCES; i++) {
    if (!isObject(node) || typeof node.$ref !== 'string') return node;
    if (!node.$ref.startsWith('#/')) return undefined;
    node = node.$ref
      .slice(2)
      .split('/')
      .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
        root,
      );
  }
  return undefined;
}

export function writtenText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
