import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../shared/version.ts';
import type { OpenApi } from './document.ts';
import { documentedBody } from './documented-body.ts';
import { referencePage } from './page.ts';
import { PAGE } from './style.ts';

const DESCRIPTION =
  'Agent jobs edit documentation and open pull requests; ' +
  'the assistant answers questions from a documentation site.';

const TAGS = [
  { name: 'agent', description: 'Agent jobs, v2. Admin API key.' },
  { name: 'agent v1', description: 'Deprecated: agent sessions, v1. Admin API key.' },
  { name: 'assistant', description: 'The documentation assistant. Assistant API key.' },
  { name: 'operations', description: 'Health of this process.' },
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
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) =>
        typeof json['$id'] === 'string' ? json['$id'] : `schema-${i}`,
    },
  });
}

/** Serves the document and a page to read it. The page loads nothing from elsewhere. */
export function registerReference(app: FastifyInstance): void {
  app.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    app.swagger(),
  );
  let page: string | undefined;
  for (const url of ['/reference', '/reference/'])
    app.get(url, { config: { access: 'public' }, schema: { hide: true } }, async (_, reply) => {
      page ??= referencePage(app.swagger() as OpenApi).markup;
      return await reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': PAGE.contentSecurityPolicy,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-cache',
        })
        .send(page);
    });
}
