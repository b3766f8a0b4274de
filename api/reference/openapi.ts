import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config.ts';
import { VERSION } from '../../shared/version.ts';
import { MARKDOWN_PATHS } from '../assistant/routes/paths.ts';
import { DOCUMENTED_PAGE } from '../assistant/routes/schemas.ts';
import { finishDocument } from './document.ts';

const DESCRIPTION =
  'Agent jobs edit documentation and open pull requests; ' +
  'the assistant answers questions from a documentation site.';

const TAGS = [
  { name: 'Agent', description: 'Agent jobs, v2. Admin API key.' },
  { name: 'Agent v1', description: 'Deprecated: agent sessions, v1. Admin API key.' },
  { name: 'Automations', description: 'Files that start agent jobs. Admin API key.' },
  { name: 'Webhooks', description: 'Where events are sent. Admin API key.' },
  {
    name: 'Readers',
    description: 'Conversations and feedback of readers, for staff. Admin API key.',
  },
  { name: 'Assistant', description: 'The documentation assistant. Assistant API key.' },
  { name: 'Operations', description: 'Health of this process.' },
];

const KEYS = {
  adminKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Admin API key, svc_…: a secret of your server.',
  },
  assistantKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'Assistant API key, svc_dsc_…: public, for browsers.',
  },
} as const;

/**
 * Collects the OpenAPI 3.1 document from the routes' schemas. Must be registered before the routes.
 */
export async function registerOpenApi(
  app: FastifyInstance,
  { PUBLIC_URL, V1_SUNSET }: Config,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docent',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: PUBLIC_URL ?? '/' }],
      tags: TAGS,
      components: { securitySchemes: KEYS },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access;
      const security =
        access === 'admin'
          ? [{ adminKey: [] }]
          : access === 'assistant'
            ? [{ assistantKey: [] }]
            : access === 'reader'
              ? [{ assistantKey: [] }, {}]
              : [];
      const body = schema?.body ? { body: documentedBody({ ...schema.body }) } : {};
      const documented = url === MARKDOWN_PATHS.page ? DOCUMENTED_PAGE : { url };
      const { url: path, ...page } = documented;
      return { schema: { security, ...schema, ...body, ...page }, url: path };
    },
    transformObject: made => {
      if (!('openapiObject' in made)) return made.swaggerObject;
      finishDocument(made.openapiObject, V1_SUNSET);
      return made.openapiObject;
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json['$id'] === 'string' ? json['$id'] : `schema-${i}`,
    },
  });
}

/** Serves the document; as pages to read, it is a part of our docs. */
export function registerReference(app: FastifyInstance): void {
  const open = { config: { access: 'public' }, schema: { hide: true } } as const;
  app.get('/openapi.json', open, async () => app.swagger());
  for (const url of ['/reference', '/reference/'])
    app.get(url, open, (_, reply) => reply.redirect('/docs/api/reference'));
}

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
function documentedBody(schema: Schema, isInChoice = false): Schema {
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
