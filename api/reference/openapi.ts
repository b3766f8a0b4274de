import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../shared/version.ts';
import { documentedBody } from './documented-body.ts';

const DESCRIPTION =
  'Agent jobs edit documentation and open pull requests; ' +
  'the assistant answers questions from a documentation site.';

const TAGS = [
  { name: 'Agent', description: 'Agent jobs, v2. Admin API key.' },
  { name: 'Agent v1', description: 'Deprecated: agent sessions, v1. Admin API key.' },
  { name: 'Assistant', description: 'The documentation assistant. Assistant API key.' },
  { name: 'Operations', description: 'Health of this process.' },
];

/**
 * Collects the OpenAPI 3.1 document from the routes' schemas. Must be registered before the routes.
 */
export async function registerOpenApi(
  app: FastifyInstance,
  publicUrl: string | undefined,
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Docent', version: VERSION, description: DESCRIPTION },
      servers: [{ url: publicUrl ?? '/' }],
      tags: TAGS,
      components: {
        securitySchemes: {
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
        },
      },
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
      return { schema: { security, ...schema, ...body }, url };
    },
    transformObject: withSuccess,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json['$id'] === 'string' ? json['$id'] : `schema-${i}`,
    },
  });
}

/** In place of the name that the plugin has for an answer without one. */
function withSuccess(made: Parameters<SwaggerTransformObject>[0]) {
  if (!('openapiObject' in made)) return made.swaggerObject;
  const methods = Object.values(made.openapiObject.paths ?? {}).flatMap(path =>
    Object.values(path ?? {}),
  ) as { responses?: Record<string, { description: string }> }[];
  for (const response of methods.flatMap(each => Object.values(each.responses ?? {})))
    if (response.description === 'Default Response') response.description = 'Success';
  return made.openapiObject;
}

/** Serves the document; as pages to read, it is a part of our docs. */
export function registerReference(app: FastifyInstance): void {
  const open = { config: { access: 'public' }, schema: { hide: true } } as const;
  app.get('/openapi.json', open, async () => app.swagger());
  for (const url of ['/reference', '/reference/'])
    app.get(url, open, (_, reply) => reply.redirect('/docs/api/reference'));
}
