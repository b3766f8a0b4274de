import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentTracer, type OpenSpan } from '../../shared/traces/tracing.ts';

/** A span for each request, named by its route's pattern: the URL itself may contain a token. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = currentTracer();
  if (!tracer) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  const inSpan = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, id } = request;
    const route = request.routeOptions.url ?? 'none';
    const span = tracer.begin({
      name: `${method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route, 'docent.request_id': id },
    });
    spans.set(request, span);
    span.run(done);
  });
  // A body is read in the context of its connection.
  app.addHook('preValidation', (request, _reply, done) => inSpan(request, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    spans.get(request)?.end({
      attributes: { 'http.response.status_code': statusCode },
      error: statusCode >= 500 ? String(statusCode) : undefined,
    });
    inSpan(request, done);
  });
}
