import type { FastifyInstance } from 'fastify';

/**
 * Accepts JSON bodies only. An empty body counts as none: many clients name a content type for a
 * body that they do not send.
 */
export function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    return parse(request, body as string, done);
  });
}
