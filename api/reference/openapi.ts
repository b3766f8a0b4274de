import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../shared/config.ts';
import { VERSION } from '../../shared/version.ts';
import { MARKDOWN_PATHS } from '../assistant/routes/paths.ts';
import { DOCUMENTED_PAGE } from '../assistant/routes/schemas.ts';
import { finishDocument } from './document.ts';
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
