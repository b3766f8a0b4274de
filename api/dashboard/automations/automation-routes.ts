import type { FastifyRequest } from 'fastify';
import { readyMade } from '../../../automations/ready-made.ts';
import { findAutomation, listAutomations } from '../../../db/automations/automations.ts';
import { listRuns, newestRuns } from '../../../db/automations/runs.ts';
import type { Project } from '../../../db/projects/projects.ts';
import { addReadyMade } from '../../../jobs/automations/add-automation.ts';
import { runNow, setPaused } from '../../../jobs/automations/control.ts';
import { Problem } from '../../../shared/errors.ts';
import { actorOf } from '../../audit.ts';
import { automationBody, runBody } from '../../automations/body.ts';
import type { DashboardDeps } from '../deps.ts';
import type { Handlers } from '../handlers.ts';

const RUNS = 100;

/** Automations and their runs. */
export function automationRoutes(deps: DashboardDeps) {
  const { pool, config } = deps;
  const find = async (project: Project, id: string) => {
    const found = await findAutomation(pool, id, project.id);
    if (!found) throw new Problem('not_found', 'There is no such automation.');
    return found;
  };
  const view = async (project: Project, id: string) => {
    const [automation, last] = await Promise.all([find(project, id), newestRuns(pool, [id])]);
    return automationBody(config, project.host, automation, last.get(id));
  };
  const controlled = async (request: FastifyRequest, id: string) => ({
    project: request.project,
    automation: await find(request.project, id),
    actor: actorOf(request),
  });
  return {
    'GET /projects/:projectId/automations': async ({ project }) => {
      const found = await listAutomations(pool, project.id);
      const ids = found.map(({ id }) => id);
      const [last, ready] = await Promise.all([newestRuns(pool, ids), readyMade()]);
      return {
        automations: found.map(each =>
          automationBody(config, project.host, each, last.get(each.id)),
        ),
        ready: ready.map(({ id, name }) => ({ id, name })),
      };
    },

    'POST /projects/:projectId/automations': async ({ project, body }) => ({
      prLink: await addReadyMade(deps, project, body.ready),
    }),

    'GET /projects/:projectId/automations/:id/runs': async ({ project, params }) => {
      const { id } = await find(project, params.id);
      const runs = await listRuns(pool, id, { limit: RUNS });
      return { runs: runs.map(run => runBody(config, project.host, run)) };
    },

    'POST /projects/:projectId/automations/:id/runs': async request => {
      const { id } = request.params;
      await runNow({ ...deps, log: request.log }, await controlled(request, id));
      return view(request.project, id);
    },

    'PATCH /projects/:projectId/automations/:id': async request => {
      const { id } = request.params;
      const { paused } = request.body;
      await setPaused({ ...deps, log: request.log }, await controlled(request, id), paused);
      return view(request.project, id);
    },
  } satisfies Partial<Handlers>;
}
