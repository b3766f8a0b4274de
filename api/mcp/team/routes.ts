import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { JobsDeps } from '../../../jobs/deps.ts';
import { ProjectParams } from '../../agent/schemas.ts';
import { requireAgentProject } from '../../plugins/path-project.ts';
import { answerAsJsonRpc, serveMcp } from '../serve-mcp.ts';
import { JOB_TOOLS } from './job-tools.ts';
import { addTasks } from './job-tasks.ts';

/** Jobs of a project for the team's own agents, over MCP. */
export const teamMcpRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  requireAgentProject(app, deps.pool);
  app.decorateRequest('job');
  answerAsJsonRpc(app);
  app.post(
    '/v2/agent/:projectId/mcp',
    // Not in the OpenAPI document: the protocol describes its tools itself.
    { config: { access: 'admin' }, schema: { hide: true, params: ProjectParams } },
    async (request, reply) => {
      const { project } = request;
      return serveMcp(deps.config, request, reply, {
        name: 'docent-jobs',
        title: `Docs jobs of ${project.name}`,
        instructions:
          `An agent that edits the documentation of ${project.name} and opens pull requests. ` +
          'create_job starts it; it works for minutes, so wait with get_job. A job that waits for ' +
          'approval or an answer waits for a person: show them what it says.',
        deps,
        tools: JOB_TOOLS,
        extend: (server, exchangeOf) => addTasks(deps, server, exchangeOf),
      });
    },
  );
};
