import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../../db/projects/keys.ts';
import { originAllowed } from '../../shared/allowed-origins.ts';
import { type Config, publicUrl } from '../../shared/config.ts';
import { Problem, type ProblemCode } from '../../shared/errors.ts';
import { VERSION } from '../../shared/version.ts';
import { toProblem } from '../plugins/problems.ts';
import { responseEnd } from '../plugins/response-end.ts';
import { callTool, describeTool, type McpExchange, type McpTool } from './tool.ts';

/** The extension by which a call is answered with the handle of a task. */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** What is offered to one request. */
export interface McpService<Deps> {
  name: string;
  title: string;
  /** For the model: when to use this server. */
  instructions: string;
  deps: Deps;
  /** In the order in which they are listed. */
  tools: readonly McpTool<Deps>[];
  /** Adds methods beside those of tools. */
  extend?: (server: Server, exchangeOf: (context: ServerContext) => McpExchange) => void;
  /** The site whose pages may call, beside Docent's own and those that the key names. */
  siteUrl?: string | null;
}

/** How long a client may keep the list of tools: it changes with the site, and with releases. */
const TTL_MS = 5 * 60_000;

/**
 * Answers a request in the era of the protocol that it is written in. A server of the library lives
 * for one request, and keeps nothing.
 */
export async function serveMcp<Deps>(
  config: Config,
  request: FastifyRequest,
  reply: FastifyReply,
  service: McpService<Deps>,
): Promise<FastifyReply> {
  refuseOtherOrigins(request, [publicUrl(config), service.siteUrl]);
  if (Array.isArray(request.body))
    throw new Problem('invalid_request', 'Send one message per request: a batch is not accepted.');
  const handler = createMcpHandler(() => serverOf(service, request, reply), {
    maxSubscriptions: 0, // nothing changes that a client could listen for
    onerror: error => request.log.debug({ err: error }, 'a request over MCP was refused'),
  });
  const response = await handler.fetch(webRequest(request, reply), { parsedBody: request.body });
  return reply.send(response);
}

function serverOf<Deps>(
  { name, title, instructions, deps, tools, extend }: McpService<Deps>,
  request: FastifyRequest,
  reply: FastifyReply,
): Server {
  const hint = { ttlMs: TTL_MS, cacheScope: 'private' as const };
  const server = new Server(
    { name, title, version: VERSION },
    {
      capabilities: { tools: {}, ...(extend && { extensions: { [TASKS]: {} } }) },
      instructions,
      cacheHints: { 'tools/list': hint, 'server/discover': hint },
    },
  );
  const exchangeOf = (context: ServerContext): McpExchange => {
    const { _meta: meta, envelope } = context.mcpReq;
    const token = meta?.progressToken;
    let progress = 0;
    return {
      ...{ request, reply },
      clientExtensions: capabilitiesOf(envelope).extensions ?? {},
      clientAsks: capabilitiesOf(envelope).elicitation !== undefined,
      async progress(message) {
        if (token === undefined) return;
        progress += 1;
        const params = { progressToken: token, progress, message };
        await context.mcpReq
          .notify({ method: 'notifications/progress', params })
          // The client has left: the call ends as one without progress does.
          .catch((error: unknown) => request.log.debug({ err: error }, 'nobody hears of progress'));
      },
    };
  };
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler('tools/call', (asked, context) =>
    callTool(tools, deps, exchangeOf(context), asked.params),
  );
  extend?.(server, exchangeOf);
  return server;
}

interface DeclaredCapabilities {
  extensions?: Record<string, unknown>;
  elicitation?: unknown;
}

/** What a client of the newer era declares with each request; of the older one nothing is known. */
function capabilitiesOf(envelope: ServerContext['mcpReq']['envelope']): DeclaredCapabilities {
  const declared: Record<string, unknown> = { ...envelope };
  return declared[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

/** A client that names no form of answer gets both. */
function webRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  if ((headers.get('accept') ?? '*/*') === '*/*')
    headers.set('accept', 'application/json, text/event-stream');
  return new Request(new URL(request.url, 'http://docent'), {
    method: 'POST',
    headers,
    signal: responseEnd(reply),
  });
}

/**
 * Programs send no Origin. A browser sends that of its page, which may be anybody's: it must be
 * Docent's, the site's, or on the list of the key. An assistant key without a list is valid
 * everywhere, as for other requests; an admin key is never for browsers.
 */
function refuseOtherOrigins(request: FastifyRequest, own: readonly (string | null | undefined)[]) {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const key = request.apiKey as ApiKey | undefined;
  const isOwn = own.some(url => url && URL.canParse(url) && new URL(url).origin === origin);
  if (isOwn || (key?.kind === 'assistant' && originAllowed(key.allowedOrigins, origin))) return;
  throw new Problem('forbidden', 'MCP may not be used from this origin.');
}

const JSON_RPC_CODES: Partial<Record<ProblemCode, number>> = {
  invalid_request: -32_600,
  payload_too_large: -32_600,
  unsupported_media_type: -32_600,
};
const PARSE_ERROR = -32_700;

/** Answers with an error of JSON-RPC what is refused before it is a message. */
export function answerAsJsonRpc(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    const code = JSON_RPC_CODES[problem.code];
    if (code === undefined) throw error;
    const isUnread = problem.code === 'invalid_request' && request.body === undefined;
    const told = { code: isUnread ? PARSE_ERROR : code, message: problem.message };
    return reply
      .code(problem.status)
      .type('application/json')
      .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: told }));
  });
}
