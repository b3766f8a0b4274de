import type { Static } from '@sinclair/typebox';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../shared/ids.ts';
import { PROBLEMS, Problem, type ProblemCode } from '../../shared/errors.ts';
import { RETRY_AFTER_SECONDS, retryAfter } from '../../shared/retry-after.ts';
import { pageHeaders, serverPage } from '../server-page.ts';
import { ProblemSchema, typeOfProblem } from './problem-schema.ts';
import { isPassing } from '../../jobs/outage.ts';
import { html } from '../html.ts';

const CONTENT_TYPE = 'application/problem+json';

/** The error responses of a route, for its schema. */
export function problems(...codes: ProblemCode[]) {
  return Object.fromEntries(
    codes.map(code => [
      PROBLEMS[code].status,
      {
        description: PROBLEMS[code].title,
        content: { [CONTENT_TYPE]: { schema: { $ref: 'Problem#' } } },
      },
    ]),
  );
}

/** What goes with the body: a caller who has to come back always learns when. */
export function problemHeaders({ code, headers }: Problem): Record<string, string> {
  return { ...(code === 'unavailable' && retryAfter(RETRY_AFTER_SECONDS.outage)), ...headers };
}

/** The errors that every route with a key may answer. */
export const COMMON_PROBLEMS = [
  'unauthorized',
  'forbidden',
  'not_found',
  'limit_exceeded',
  'internal',
  'unavailable',
] as const;

export function problemBody(problem: Problem, requestId: string): Static<typeof ProblemSchema> {
  return {
    type: typeOfProblem(problem.code),
    title: PROBLEMS[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance: `urn:docent:request:${requestId}`,
    error: problem.message,
    ...(problem.errors && { errors: problem.errors }),
  };
}

/**
 * Any error as what the caller may know of it. An unforeseen error is our fault, and its message
 * stays in the log.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDeparture(error))
    return new Problem('invalid_request', 'The connection ended before the request did.', {
      cause: error,
    });
  if (isPassing(error)) {
    return new Problem(
      'unavailable',
      'A part of the service cannot be reached; nothing was changed. Try again in a few seconds.',
      { cause: error },
    );
  }
  const { code, statusCode: status = 500 } = (error ?? {}) as {
    code?: unknown;
    statusCode?: number;
  };
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem(
      'unsupported_media_type',
      'Send the body as JSON, with Content-Type: application/json.',
    );
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('payload_too_large', 'The body is larger than this endpoint accepts.');
  if (error instanceof SyntaxError || code === 'FST_ERR_CTP_INVALID_JSON_BODY')
    return new Problem('invalid_request', 'The body is not JSON: it could not be parsed.');
  if (status === 408) return new Problem('request_timeout', 'The request took too long to arrive.');
  if (status >= 400 && status < 500)
    return new Problem(
      'invalid_request',
      'The request could not be read: its path, headers or body are malformed.',
    );
  return new Problem('internal', 'Something went wrong on our side. Please quote the request id.', {
    cause: error,
  });
}

/**
 * Registers the one place where errors become responses, and 404 and 405 where no route matches.
 */
export function registerProblems(app: FastifyInstance): void {
  app.addSchema(ProblemSchema);
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook('onRoute', route => {
    routes.push({ pattern: pathPattern(route.url), methods: [route.method].flat() });
  });

  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    request.log[logLevel(problem, error)]({ err: problem.cause ?? error }, problem.message);
    return send(reply, problem);
  });

  const missing = (request: FastifyRequest): Problem => {
    const path = request.url.split('?', 1)[0]!;
    const matching = routes.filter(route => route.pattern.test(path));
    // A route can decline a path of its pattern: then its method is not allowed there.
    const reading = ['GET', 'HEAD'];
    const declined = reading.includes(request.method) ? reading : [request.method];
    const allowed = [...new Set(matching.flatMap(route => route.methods))].filter(
      method => !declined.includes(method),
    );
    if (allowed.length === 0) return new Problem('not_found', 'There is nothing at this path.');
    const allow = allowed.sort().join(', ');
    return new Problem('method_not_allowed', `This path accepts ${allow}.`, { headers: { allow } });
  };
  // Before the body is read: its content does not matter here, and some methods may have none.
  app.addHook('onRequest', async request => {
    if (request.is404) throw missing(request);
  });
  app.setNotFoundHandler((request, reply) => send(reply, missing(request)));
}

/**
 * The response to a path that the router refuses: one that cannot be decoded, or with an id longer
 * than any of ours. No hook runs for it.
 */
export function answerBadPath(
  error: { code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header('x-request-id', request.id);
  send(
    reply,
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? new Problem('not_found', 'There is nothing at this path.')
      : toProblem(error),
  );
}

function logLevel({ code }: Problem, error: unknown): 'error' | 'warn' | 'debug' {
  // The caller left before the first byte: nobody's fault.
  if (isDeparture(error)) return 'debug';
  if (code === 'internal') return 'error';
  return code === 'unavailable' ? 'warn' : 'debug';
}

function send(reply: FastifyReply, problem: Problem): FastifyReply {
  // A person who mistyped an address reads a page, programs read the problem.
  const isPerson = /\btext\/html\b/.test(reply.request.headers.accept ?? '');
  if (reply.request.is404 && problem.code === 'not_found' && isPerson)
    return reply
      .code(problem.status)
      .headers(pageHeaders())
      .type('text/html; charset=utf-8')
      .send(notFoundPage());
  return reply
    .code(problem.status)
    .headers(problemHeaders(problem))
    .type(CONTENT_TYPE)
    .send(JSON.stringify(problemBody(problem, reply.request.id)));
}

function pathPattern(url: string): RegExp {
  const source = url
    .split('/')
    .map(part => {
      if (part.startsWith(':')) return '[^/]+';
      return part.replace(/[.*+?^${}()|[\]\\]/g, character =>
        character === '*' ? '.*' : `\\${character}`,
      );
    })
    .join('/');
  return new RegExp(`^${source}$`);
}

/** The answer to bytes that never became a request: too slow, too large a header, not HTTP. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = newId('req');
  const problem = clientProblem(error.code);
  const body = JSON.stringify(problemBody(problem, requestId));
  const headers = {
    'content-type': CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
    ...problem.headers,
  };
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines}\r\n${body}`);
}

function clientProblem(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request took too long to arrive.');
  if (code === 'HPE_INVALID_METHOD')
    return new Problem('method_not_allowed', 'This method is not known here.', {
      headers: { allow: 'GET, HEAD, POST' },
    });
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('invalid_request', 'The headers are too large.');
  return new Problem('invalid_request', 'The request is not valid HTTP.');
}

/** Gives a request its own id, never the client's, and shows it on every response. */
export function registerRequestIds(app: FastifyInstance): void {
  app.addHook('onRequest', async (request: FastifyRequest, reply) => {
    reply.header('x-request-id', request.id);
  });
}

/** Whether an error means that the caller left before its request or response was whole. */
function isDeparture(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  // Node's words for a request that ends early; a server that resets us is a "read ECONNRESET".
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === 'ECONNRESET' && message === 'aborted');
}

/** For people who open an address where nothing is. */
function notFoundPage(): string {
  return serverPage({
    title: 'Not found · Docent',
    content: html`<h1>Page not found</h1><p>There is nothing at this address.</p>
<p><a href="/dashboard">Go to the dashboard</a></p>`,
  });
}
