import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../../../db/projects/keys.ts';
import { readIndexState } from '../../../db/search/index-state.ts';
import { publicUrl } from '../../../shared/config.ts';
import { VERSION } from '../../../shared/version.ts';
import type { AssistantDeps } from '../../assistant/deps.ts';
import { PATHS } from '../../assistant/routes/paths.ts';
import { DomainParams } from '../../assistant/routes/schemas.ts';
import { requireReadableProject } from '../../plugins/path-project.ts';
import { answerAsJsonRpc, serveMcp } from '../serve-mcp.ts';
import type { McpTool } from '../tool.ts';
import { readerTools } from './reader-tools.ts';

/** Not in the OpenAPI document: the protocol describes its tools itself. */
const ROUTE = {
  config: { access: 'reader' as const },
  schema: { hide: true, params: DomainParams },
};

/** The docs of a site for agents of its readers, over MCP, and the files by which they find it. */
export const readerMcpRoutes: FastifyPluginAsyncTypebox<AssistantDeps> = async (app, deps) => {
  requireReadableProject(app, deps.db);
  app.register(async scope => {
    answerAsJsonRpc(scope);
    scope.post(PATHS.mcp, ROUTE, async (request, reply) => {
      const { name, domain, siteUrl } = request.project;
      return serveMcp(deps.config, request, reply, {
        name: `${domain}-docs`,
        title: name,
        instructions:
          `The documentation of ${name}. Look here before you answer from memory what concerns it, ` +
          'and give readers the links.',
        deps,
        tools: await toolsOf(deps, request),
        siteUrl,
      });
    });
  });
  for (const [path, fileOf] of Object.entries(FILES))
    app.get(`/discovery/v1/:domain/.well-known/${path}`, ROUTE, async (request, reply) =>
      sendFile(deps, request, reply, fileOf),
    );
};

async function toolsOf(
  { db }: AssistantDeps,
  { project, apiKey }: FastifyRequest,
): Promise<McpTool<AssistantDeps>[]> {
  const state = await readIndexState(db, project.id);
  const { reading, answering } = readerTools(project.name, state?.site ?? {});
  // Answers cost the site's owner money, and are counted by key.
  return (apiKey as ApiKey | undefined) ? [...reading, ...answering] : reading;
}

interface Described {
  url: string;
  title: string;
  isPublic: boolean;
  tools: { name: string; description: string; requiresKey: boolean }[];
}

/** Which servers there are: a list that several clients look for. */
function serverList({ url, title, isPublic, tools }: Described) {
  const authentication = isPublic ? 'none' : 'bearer';
  return { servers: [{ name: title, url, transport: 'http', authentication, tools }] };
}

/** A card in the form of the proposal for them (SEP-2127). */
function serverCard({ url, title, isPublic, tools }: Described) {
  const header = { name: 'Authorization', isRequired: true, isSecret: false };
  const host = new URL(url).hostname.split('.').toReversed().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${host}/${url.split('/').at(-1)}`,
    version: VERSION,
    title,
    description: `The documentation of ${title}.`.slice(0, 100),
    remotes: [{ type: 'streamable-http', url, ...(!isPublic && { headers: [header] }) }],
    tools,
  };
}

const FILES = { mcp: serverList, 'mcp.json': serverList, 'mcp/server-card.json': serverCard };

async function sendFile(
  deps: AssistantDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  fileOf: (described: Described) => object,
): Promise<FastifyReply> {
  const { project } = request;
  const { reading, answering } = readerTools(project.name, {});
  const listed = (requiresKey: boolean) => (tool: McpTool<never>) => ({
    ...{ name: tool.name, description: tool.description, requiresKey },
  });
  const file = fileOf({
    url: `${publicUrl(deps.config)}${PATHS.mcp.replace(':domain', project.domain)}`,
    title: project.name,
    isPublic: project.public,
    tools: [...reading.map(listed(!project.public)), ...answering.map(listed(true))],
  });
  const scope = project.public ? 'public' : 'private';
  return reply
    .headers({ vary: 'Authorization', 'cache-control': `${scope}, max-age=300` })
    .type('application/json')
    .send(JSON.stringify(file));
}
