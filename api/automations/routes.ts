import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import {
  type Automation,
  findAutomation,
  listAutomations,
} from '../../db/automations/automations.ts';
import { listRuns, newestRuns } from '../../db/automations/runs.ts';
import { addReadyMade } from '../../jobs/automations/add-automation.ts';
import { runNow, setPaused } from '../../jobs/automations/control.ts';
import type { JobsDeps } from '../../jobs/deps.ts';
import { Problem } from '../../shared/errors.ts';
import { isPlainId } from '../../shared/ids.ts';
import { CHANGE_PROBLEMS, READ_PROBLEMS } from '../agent/responses.ts';
import { ProjectParams } from '../agent/schemas.ts';
import { actorOf } from '../audit.ts';
import { page, readCursor } from '../dashboard/paging.ts';
import { requireAgentProject } from '../plugins/path-project.ts';
import { problems } from '../plugins/problems.ts';
import { automationBody, runBody } from './body.ts';
import {
  AddBody,
  Added,
  AutomationList,
  AutomationRef,
  NAMED,
  Params,
  RunList,
  RunsQuery,
  Triggered,
} from './schemas.ts';

const config = { access: 'admin' } as const;
const tags = ['Automations'];
/** Automations, v1. */
export const automationRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  for (const schema of NAMED) app.addSchema(schema);
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization' });
  });
  requireAgentProject(app, deps.pool);
  await app.register(listRoute, deps);
  await app.register(runsRoute, deps);
  await app.register(addRoute, deps);
  await app.register(triggerRoute, deps);
  await app.register(pauseRoutes, deps);
};

const listRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.get(
    '/v1/workflow/:projectId',
    {
      config,
      schema: {
        tags,
        operationId: 'listAutomations',
        summary: 'List automations',
        description: 'By name, also those whose files cannot be used.',
        params: ProjectParams,
        response: {
          200: AutomationList,
          ...READ_PROBLEMS,
        },
      },
    },
    async ({ project }) => {
      const found = await listAutomations(deps.pool, project.id);
      const last = await newestRuns(
        deps.pool,
        found.map(({ id }) => id),
      );
      return {
        automations: found.map(each =>
          automationBody(deps.config, project.host, each, last.get(each.id)),
        ),
      };
    },
  );
};

const runsRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.get(
    '/v1/workflow/:projectId/:automationId/runs',
    {
      config,
      schema: {
        tags,
        operationId: 'listAutomationRuns',
        summary: 'List runs of an automation',
        description: 'Newest first.',
        params: Params,
        querystring: RunsQuery,
        response: {
          200: RunList,
          ...READ_PROBLEMS,
        },
      },
    },
    async request => {
      const { limit = 20, cursor } = request.query;
      const { id } = await automationOf(deps, request);
      const found = await listRuns(deps.pool, id, {
        limit: limit + 1,
        ...(cursor !== undefined && { after: readCursor(cursor, 'run') }),
      });
      const { rows, nextCursor } = page(found, limit);
      const runs = rows.map(run => runBody(deps.config, request.project.host, run));
      return { runs, nextCursor };
    },
  );
};

const addRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v1/workflow/:projectId',
    {
      config,
      schema: {
        tags,
        operationId: 'addAutomation',
        summary: 'Add a ready-made automation',
        description: 'Opens a pull request with its file. It runs once that is merged and indexed.',
        params: ProjectParams,
        body: AddBody,
        response: {
          201: Added,
          ...CHANGE_PROBLEMS,
        },
      },
    },
    async (request, reply) => {
      const prLink = await addReadyMade(deps, request.project, request.body.ready);
      reply.code(201);
      return { prLink };
    },
  );
};

const triggerRoute: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  app.post(
    '/v1/workflow/:projectId/:automationId/trigger',
    {
      config,
      schema: {
        tags,
        operationId: 'triggerAutomation',
        summary: 'Run an automation now',
        description: 'Its standing job gets a further instruction. Poll the job, or list the runs.',
        params: Params,
        response: {
          202: Triggered,
          ...CHANGE_PROBLEMS,
          ...problems('limit_exceeded'),
        },
      },
    },
    async (request, reply) => {
      const controlled = await controlledBy(deps, request);
      const { runId, jobId } = await runNow({ ...deps, log: request.log }, controlled);
      reply.code(202);
      return { schemaId: controlled.automation.id, instanceId: runId, jobId };
    },
  );
};

const PAUSING = {
  pause: {
    operationId: 'pauseAutomation',
    summary: 'Pause an automation',
    description: 'Then only a person can start it.',
  },
  resume: {
    operationId: 'resumeAutomation',
    summary: 'Resume an automation',
    description: 'What happened in the meantime starts no run.',
  },
} as const;

const pauseRoutes: FastifyPluginAsyncTypebox<JobsDeps> = async (app, deps) => {
  for (const verb of ['pause', 'resume'] as const)
    app.post(
      `/v1/workflow/:projectId/:automationId/${verb}`,
      {
        config,
        schema: {
          tags,
          ...PAUSING[verb],
          params: Params,
          response: { 200: AutomationRef, ...CHANGE_PROBLEMS },
        },
      },
      async request => {
        const controlled = await controlledBy(deps, request);
        await setPaused({ ...deps, log: request.log }, controlled, verb === 'pause');
        const { id } = controlled.automation;
        const last = await newestRuns(deps.pool, [id]);
        const now = await automationOf(deps, request);
        return automationBody(deps.config, request.project.host, now, last.get(id));
      },
    );
};

type Named = Pick<FastifyRequest, 'project'> & { params: { automationId: string } };

/** Throws 404. */
async function automationOf(deps: JobsDeps, { project, params }: Named): Promise<Automation> {
  const { automationId: id } = params;
  const found = isPlainId(id) ? await findAutomation(deps.pool, id, project.id) : undefined;
  if (!found) throw new Problem('not_found', 'There is no such automation.');
  return found;
}

async function controlledBy(deps: JobsDeps, request: Named) {
  return {
    project: request.project,
    automation: await automationOf(deps, request),
    actor: actorOf(request as FastifyRequest),
  };
}
