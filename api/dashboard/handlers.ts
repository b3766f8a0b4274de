import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@sinclair/typebox';
import type {
  Answer,
  Body,
  Headers,
  Params,
  Query,
  Route,
  StreamRoute,
} from './contract/routes/route-types.ts';
import { PARAMS, type RouteEntry } from './contract/routes/route-entry.ts';
import { ROUTES } from './contract/routes/routes.ts';

export type RouteRequest<R extends Route> = FastifyRequest<{
  Params: Params<R>;
  Querystring: Query<R>;
  Headers: Headers<R>;
  Body: Body<R>;
}>;

/** Answers one route; without an answer in its entry, it returns nothing and 204 is sent. */
export type Handler<R extends Route> = (
  request: RouteRequest<R>,
  reply: FastifyReply,
) => R extends StreamRoute ? Promise<FastifyReply> : Promise<AnswerOrVoid<R>> | AnswerOrVoid<R>;
type AnswerOrVoid<R extends Route> = Answer<R> extends undefined ? void : Answer<R>;

/** One for each route of the table: a route that is missing or unknown does not compile. */
export type Handlers = { [R in Route]: Handler<R> };

/** Registers the whole table. Access is `config.who`, which `registerAccess` enforces. */
export function registerRoutes(app: FastifyInstance, handlers: Handlers): void {
  for (const [route, entry] of Object.entries<RouteEntry>(ROUTES)) {
    // Fastify calls each handler with requests of its own route only.
    register(app, route, entry, handlers[route as Route] as AnyHandler);
  }
}

type AnyHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

function register(
  app: FastifyInstance,
  route: string,
  { who, params, query, headers, body, answer, status = 200, stream, bodyLimit }: RouteEntry,
  handler: AnyHandler,
): void {
  const [method = '', url = ''] = route.split(' ');
  const found = params ?? paramsOf(url);
  app.route({
    method,
    url,
    config: { who },
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(stream && { exposeHeadRoute: false }),
    schema: {
      ...(found && { params: found }),
      ...(query && { querystring: query }),
      ...(headers && { headers }),
      ...(body && { body }),
      ...(answer && { response: { [status]: answer } }),
    },
    handler: async (request, reply) => {
      const result = await handler(request, reply);
      if (stream) return result;
      if (!answer) return reply.code(204).send();
      reply.code(status);
      return result;
    },
  });
}

function paramsOf(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof PARAMS);
  return (
    names.length > 0 && Type.Object(Object.fromEntries(names.map(name => [name, PARAMS[name]])))
  );
}
